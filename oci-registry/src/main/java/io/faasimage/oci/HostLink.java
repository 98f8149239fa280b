package io.faasimage.oci;

import io.faasimage.format.id.Host;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;

/**
 * The way to one host of a registry, and to those that it leads to.
 *
 * @param tls of verified connections; the JVM's own when empty
 * @param unverified of connections without verification
 * @param connect the longest time until a connection to one address
 * @param path of the interface on the host, which repositories are below
 * @param own the host that gets the headers, with its port; none when empty
 * @param headers of each request to it
 */
record HostLink(
        HostPolicy policy,
        Optional<SSLContext> tls,
        Optional<SSLContext> unverified,
        Duration connect,
        String path,
        Optional<Host> own,
        Map<String, List<String>> headers) {
    /** The longest time until a connection to one address, unless the administrator sets another. */
    static final Duration CONNECT = Duration.ofSeconds(10);
    /** The same for a host that the administrator listed: another one may have it. */
    private static final Duration CONNECT_LISTED = Duration.ofSeconds(4);

    private static final String USUAL_PATH = "/v2";
    private static final String USER_AGENT = "user-agent";

    /** Headers of the connection itself; containerd's client leaves them out, too. */
    private static final Set<String> NOT_SENT = Set.of("host", "content-length", "transfer-encoding", "connection");

    /** The way to registries of which nothing else is known. */
    static HostLink usual(OciRegistry.Options options) {
        return new HostLink(
                options.policy(), options.tls(), Optional.empty(), CONNECT, USUAL_PATH, Optional.empty(), Map.of());
    }

    /** The way to a host that the administrator listed for {@code registry}. */
    static HostLink of(RegistryHost host, String registry, OciRegistry.Options options) {
        HostTls tls = host.tls();
        return new HostLink(
                new ListedHostPolicy(options.policy(), host.authority().map(Host::parse), host.protocols(), tls),
                tls.verified().or(options::tls),
                tls.unverified(),
                host.dialTimeout().orElse(host.authority().isPresent() ? CONNECT_LISTED : CONNECT),
                host.root().isPresent() ? host.root().get().getRawPath() : USUAL_PATH,
                Optional.of(own(host, registry)),
                host.headers());
    }

    /** With the port, so that a redirect to another server of the host, which may be without TLS, gets no headers. */
    private static Host own(RegistryHost host, String registry) {
        Host named = Host.parse(host.authority().orElse(RegistryHost.server(registry)));
        boolean isPlain =
                host.root().filter(root -> "http".equals(root.getScheme())).isPresent();
        return named.port() >= 0 ? named : new Host(named.name(), isPlain ? 80 : 443);
    }

    SSLSocketFactory verifiedSockets() {
        return tls.map(SSLContext::getSocketFactory).orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    SSLSocketFactory unverifiedSockets() {
        return unverified.map(SSLContext::getSocketFactory).orElse(UnverifiedTls.SOCKETS);
    }

    /** Adds the administrator's headers to a request to the host itself; a login goes before theirs. */
    void addHeaders(BasicClassicHttpRequest request, Host to) {
        if (own.filter(to::equals).isPresent()) {
            headers.forEach((name, values) -> addHeader(request, name, values));
        }
    }

    private static void addHeader(BasicClassicHttpRequest request, String name, List<String> values) {
        String lower = name.toLowerCase(Locale.ROOT);
        boolean loggedIn = name.equalsIgnoreCase(OciHttp.AUTHORIZATION) && request.containsHeader(name);
        if (loggedIn || NOT_SENT.contains(lower)) {
            return;
        }
        if (lower.equals(USER_AGENT)) {
            request.removeHeaders(name);
        }
        values.forEach(value -> request.addHeader(name, value));
    }
}

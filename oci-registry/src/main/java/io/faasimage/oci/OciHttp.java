package io.faasimage.oci;

import io.faasimage.api.client.Connections;
import io.faasimage.api.client.Connections.Answer;
import io.faasimage.api.client.MinimumRate;
import io.faasimage.format.id.Host;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.HostPolicy.Protocol;
import io.faasimage.oci.OciDialer.Server;
import io.faasimage.oci.OciException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Requests to registries, their token services and the hosts that they redirect to: each host is checked by the
 * {@link HostPolicy}, at each hop, for the address that is connected to, which nothing resolves again. Through a proxy,
 * only the names and addresses that a URL itself has are checked: the proxy resolves. Thread-safe.
 */
final class OciHttp implements AutoCloseable {
    static final String AUTHORIZATION = "Authorization";

    private static final int MAX_REDIRECTS = 5;
    /** An unread body up to this length costs less than a new connection. */
    private static final int DRAINED_BYTES = 4096;

    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");

    private final HostPolicy policy;
    private final HostLink link;
    private final Duration answer;
    private final MinimumRate rate;
    private final Connections<Server> connections;
    private final Map<Host, Protocol> spoken = new ConcurrentHashMap<>();

    /**
     * The last answer of a chain of redirects.
     *
     * @param at where it came from
     * @param elsewhere whether that is another host than the first one, to which no login is sent
     */
    record Landed(Answer answer, URI at, boolean elsewhere) {}

    /** A reader of an answer that must be read before its connection is closed. */
    interface AnswerReader<T> {
        T read(Answer answer) throws IOException;
    }

    OciHttp(OciRegistry.Options options) {
        this(
                HostLink.usual(options),
                options.answer(),
                options.rate(),
                new Connections<>(OciDialer::dial, options.answer(), options.silence(), options.rate()));
    }

    private OciHttp(HostLink link, Duration answer, MinimumRate rate, Connections<Server> connections) {
        this.policy = link.policy();
        this.link = link;
        this.answer = answer;
        this.rate = rate;
        this.connections = connections;
    }

    /** A client over the same connections, which ends with this one. */
    OciHttp with(HostLink other) {
        return new OciHttp(other, answer, rate, connections);
    }

    /** Sends a request for {@code path} of the image's repository. */
    Landed send(ImageReference reference, String path, OciRequest request) throws IOException {
        Host registry = Host.parse(reference.registry());
        Protocol known = spoken.get(registry);
        List<Protocol> protocols = known == null ? policy.protocols(registry) : List.of(known);
        @Nullable IOException unanswered = null;
        for (int i = 0; ; i++) {
            Protocol protocol = protocols.get(i);
            boolean another = i + 1 < protocols.size();
            URI uri = uri(reference, path, protocol);
            long begin = System.nanoTime();
            try {
                Answer response = send(connections, uri, protocol, request.at(uri));
                // A server of TLS calls a request without it a bad one.
                if (another && protocol == Protocol.PLAIN && response.status() == 400) {
                    drop(response);
                    continue;
                }
                spoken.put(registry, protocol);
                return follow(registry, uri, response, request, begin);
            } catch (OciException e) {
                throw e;
            } catch (IOException e) {
                if (!another || !isPerhapsOf(protocol, e)) {
                    throw OciException.at(String.valueOf(uri.getAuthority()), unanswered == null ? e : unanswered);
                }
                unanswered = protocol == Protocol.PLAIN ? e : null;
            }
        }
    }

    /** Whether the failure may be that of a server which speaks another protocol. */
    private static boolean isPerhapsOf(Protocol protocol, IOException e) {
        return protocol == Protocol.PLAIN
                ? !(e instanceof ConnectException || e instanceof SocketTimeoutException)
                : e instanceof ConnectException || e instanceof SSLException;
    }

    private URI uri(ImageReference reference, String path, Protocol protocol) {
        String host = RegistryHost.server(reference.registry());
        String scheme = protocol == Protocol.PLAIN ? "http://" : "https://";
        return URI.create(scheme + host + link.path() + "/" + reference.repository() + "/" + path);
    }

    /** Whether the registry is spoken to without TLS. */
    boolean isPlain(ImageReference reference) {
        return spoken.get(Host.parse(reference.registry())) == Protocol.PLAIN;
    }

    /** Gets a document of another host that the image's registry names, through redirects. */
    Answer get(ImageReference reference, URI uri, Map<String, String> headers) throws IOException {
        Host registry = Host.parse(reference.registry());
        long begin = System.nanoTime();
        OciRequest request = OciRequest.get(headers);
        return follow(registry, uri, hop(connections, registry, uri, request.at(uri)), request, begin)
                .answer();
    }

    /** Gets a document of another host that the image's registry named before; redirects are not followed. */
    Answer direct(ImageReference reference, URI uri, Map<String, String> headers) throws IOException {
        Host registry = Host.parse(reference.registry());
        return hop(connections, registry, uri, OciRequest.get(headers).at(uri));
    }

    /** Posts a form to another host that the image's registry names; redirects are not followed. */
    Answer post(ImageReference reference, URI uri, String form) throws IOException {
        OciRequest request = new OciRequest(
                "POST", Map.of(), Optional.of(new StringEntity(form, ContentType.APPLICATION_FORM_URLENCODED)));
        return hop(connections, Host.parse(reference.registry()), uri, request.at(uri));
    }

    /**
     * Puts a long body to a host that the image's registry named; redirects are not followed. It has a connection of
     * its own, over which no body is sent twice, and the time that its length takes at the minimum rate; after its end
     * the registry has the usual time for an answer.
     */
    <T> T put(ImageReference reference, URI uri, Map<String, String> headers, UploadBody body, AnswerReader<T> reader)
            throws IOException {
        Duration limit = answer.plusSeconds(body.getContentLength() / rate.bytesPerSecond());
        OciRequest request = new OciRequest("PUT", headers, Optional.of(body));
        try (Connections<Server> own = new Connections<>(OciDialer::dial, limit, answer, rate)) {
            body.onStall(own::close);
            try (Answer response = hop(own, Host.parse(reference.registry()), uri, request.at(uri))) {
                return reader.read(response);
            }
        }
    }

    private Landed follow(Host registry, URI start, Answer first, OciRequest request, long begin) throws IOException {
        URI at = start;
        Answer response = first;
        for (int hop = 0; request.isFollowed() && isRedirect(response); hop++) {
            drop(response);
            if (hop == MAX_REDIRECTS) {
                throw new OciException(Kind.INVALID, "the registry redirects more than " + MAX_REDIRECTS + " times");
            }
            if (System.nanoTime() - begin > answer.toNanos()) {
                throw new OciException(
                        Kind.SLOW, "the registry sent only redirections within " + answer.toSeconds() + " s");
            }
            at = resolve(at, response.header("Location").get());
            BasicClassicHttpRequest next = request.at(at);
            if (!isSameHost(at, start)) {
                // A login is for its own host, not for the storage that the host points to.
                next.removeHeaders(AUTHORIZATION);
            }
            response = hop(connections, registry, at, next);
        }
        return new Landed(response, at, !isSameHost(at, start));
    }

    private static boolean isRedirect(Answer response) {
        return response.status() / 100 == 3 && response.header("Location").isPresent();
    }

    /** Whether a login for {@code one} may be sent to {@code other}. */
    static boolean isSameHost(URI one, URI other) {
        return one.getScheme().equals(other.getScheme()) && one.getAuthority().equals(other.getAuthority());
    }

    /** The target of a redirect, or of an upload. */
    static URI resolve(URI base, String location) throws OciException {
        try {
            URI target = base.resolve(location);
            boolean http = "http".equals(target.getScheme()) || "https".equals(target.getScheme());
            if (http && target.getHost() != null) {
                return target;
            }
        } catch (IllegalArgumentException e) {
            throw new OciException(Kind.INVALID, "the registry redirects to something that is no URL", e);
        }
        throw new OciException(Kind.INVALID, "the registry redirects to something that is not HTTP");
    }

    private Answer hop(Connections<Server> over, Host registry, URI uri, BasicClassicHttpRequest request)
            throws IOException {
        Host host = host(uri);
        Protocol protocol;
        if ("https".equals(uri.getScheme())) {
            protocol = policy.isUnverified(host, registry) ? Protocol.UNVERIFIED : Protocol.TLS;
        } else {
            policy.checkPlain(host, registry);
            protocol = Protocol.PLAIN;
        }
        try {
            return send(over, uri, protocol, request);
        } catch (IOException e) {
            throw OciException.at(String.valueOf(uri.getAuthority()), e);
        }
    }

    private static Host host(URI uri) {
        boolean secure = "https".equals(uri.getScheme());
        return new Host(uri.getHost(), uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80);
    }

    private Answer send(Connections<Server> over, URI uri, Protocol protocol, BasicClassicHttpRequest request)
            throws IOException {
        Host host = host(uri);
        Optional<InetSocketAddress> proxy = proxy(uri);
        if (proxy.isPresent() && LITERAL.matcher(host.name()).matches()) {
            policy.resolve(host.name());
        }
        request.setAbsoluteRequestUri(proxy.isPresent() && protocol == Protocol.PLAIN);
        link.addHeaders(request, host);
        boolean repeatable = request.getEntity() == null || request.getEntity().isRepeatable();
        return over.send(new Server(protocol, host, proxy, link), request, repeatable);
    }

    private static Optional<InetSocketAddress> proxy(URI uri) {
        for (Proxy proxy : ProxySelector.getDefault().select(uri)) {
            if (proxy.type() == Proxy.Type.HTTP && proxy.address() instanceof InetSocketAddress address) {
                return Optional.of(address);
            }
        }
        return Optional.empty();
    }

    /** Ends an answer whose body nobody needs. */
    static void drop(Answer response) throws IOException {
        try (InputStream body = response.body()) {
            if (response.length() >= 0 && response.length() <= DRAINED_BYTES) {
                body.readNBytes(DRAINED_BYTES + 1);
            }
        }
    }

    @Override
    public void close() {
        connections.close();
    }
}

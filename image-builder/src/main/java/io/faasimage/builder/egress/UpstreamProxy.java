package io.faasimage.builder.egress;

import io.faasimage.format.id.Host;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The proxy by which this machine reaches others, as {@code HTTPS_PROXY} and its like name it.
 *
 * @param host of the proxy, with a port
 * @param credentials of the address, as {@code user:password}; empty when it has none
 */
record UpstreamProxy(Host host, Optional<String> credentials) {
    private static final int USUAL_PORT = 80;

    /** The proxy to {@code target}; empty when it is reached directly. */
    static Optional<UpstreamProxy> of(Map<String, String> environment, boolean tls, Host target) {
        String excepted = variable(environment, "NO_PROXY").orElse("");
        for (String name : excepted.split("[,\\s]+", -1)) {
            if (isExcepted(name.toLowerCase(Locale.ROOT), target.name())) {
                return Optional.empty();
            }
        }
        return variable(environment, tls ? "HTTPS_PROXY" : "HTTP_PROXY").flatMap(UpstreamProxy::parse);
    }

    private static boolean isExcepted(String name, String target) {
        String domain = name.startsWith("*.") ? name.substring(1) : name;
        return domain.equals("*")
                || (!domain.isEmpty()
                        && (target.equals(domain) || target.endsWith(domain.startsWith(".") ? domain : "." + domain)));
    }

    private static Optional<String> variable(Map<String, String> environment, String name) {
        @Nullable String value = environment.getOrDefault(name.toLowerCase(Locale.ROOT), environment.get(name));
        return Optional.ofNullable(value).filter(text -> !text.isBlank());
    }

    private static Optional<UpstreamProxy> parse(String url) {
        URI uri = URI.create(url.contains("://") ? url : "http://" + url);
        return Optional.ofNullable(uri.getHost())
                .map(name -> new UpstreamProxy(
                        new Host(name, uri.getPort() < 0 ? USUAL_PORT : uri.getPort()),
                        Optional.ofNullable(uri.getUserInfo())));
    }

    /** The line of a request to it by which the proxy knows this machine; nothing without credentials. */
    String authorization() {
        return credentials
                .map(text -> "Proxy-Authorization: Basic "
                        + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)) + "\r\n")
                .orElse("");
    }
}

package io.faasimage.oci;

import io.faasimage.format.id.Host;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.HostPolicy.Protocol;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A host at which the administrator lets a registry's content be read.
 *
 * @param root the URL that repositories are below, as {@code https://mirror.example.com/v2}; empty for the registry
 *     itself
 * @param capabilities what it is trusted with
 * @param headers of each request to it
 * @param dialTimeout the longest time until a connection; the client's own when empty
 */
public record RegistryHost(
        Optional<URI> root,
        Set<Capability> capabilities,
        HostTls tls,
        Map<String, List<String>> headers,
        Optional<Duration> dialTimeout) {
    private static final String DOCKER_HUB = "docker.io";
    private static final String DOCKER_HUB_SERVER = "registry-1.docker.io";
    private static final int HTTP_PORT = 80;

    /** Copies the collections. */
    public RegistryHost {
        capabilities = Set.copyOf(capabilities);
        headers = Map.copyOf(headers);
    }

    /** The server of a registry, whose name is another one for Docker Hub. */
    static String server(String registry) {
        return registry.equals(DOCKER_HUB) ? DOCKER_HUB_SERVER : registry;
    }

    /** Whether nothing is known of the registry itself but its name. */
    boolean isUsual() {
        return root.isEmpty() && !tls.given() && headers.isEmpty() && dialTimeout.isEmpty();
    }

    /** Name and port; empty for the registry itself. */
    Optional<String> authority() {
        return root.map(url -> new Host(url.getHost(), url.getPort()).toString());
    }

    /** The protocols to try at a listed host; as containerd does, TLS goes first if any of it is configured. */
    List<Protocol> protocols() {
        Protocol secure = tls.skipsVerification() ? Protocol.UNVERIFIED : Protocol.TLS;
        if (root.isEmpty() || "https".equals(root.get().getScheme())) {
            return List.of(secure);
        }
        boolean secureFirst = tls.given() && root.get().getPort() != HTTP_PORT;
        return secureFirst ? List.of(secure, Protocol.PLAIN) : List.of(Protocol.PLAIN);
    }

    /** The same image at this host, whose login is the host's. */
    ImageReference at(ImageReference reference) {
        return authority()
                .map(host -> host.equals(DOCKER_HUB_SERVER) ? DOCKER_HUB : host)
                .map(host -> new ImageReference(host, reference.repository(), reference.tag(), reference.digest()))
                .orElse(reference);
    }

    /** The query by which a host that is not the registry's own knows the registry; else empty. */
    String query(String registry) {
        boolean isOwn = authority().isEmpty()
                || authority().get().equalsIgnoreCase(registry)
                || (registry.equals(DOCKER_HUB) && authority().get().equals(DOCKER_HUB_SERVER));
        return isOwn ? "" : "ns=" + URLEncoder.encode(registry, StandardCharsets.UTF_8);
    }
}

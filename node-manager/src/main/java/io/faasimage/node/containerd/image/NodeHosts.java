package io.faasimage.node.containerd.image;

import io.faasimage.format.id.Host;
import io.faasimage.oci.HostPolicy;
import io.faasimage.oci.OciException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A node's policy about the hosts of registries: a user who names images here may reach any. A registry of this machine
 * is first spoken to without TLS, as is the custom.
 *
 * @param plainHttp hosts (with port) that are spoken to without TLS
 */
public record NodeHosts(Set<String> plainHttp) implements HostPolicy {
    public NodeHosts {
        plainHttp =
                plainHttp.stream().map(host -> host.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public List<Protocol> protocols(Host registry) {
        if (plainHttp.contains(registry.toString())) {
            return List.of(Protocol.PLAIN);
        }
        return registry.isLoopback() ? List.of(Protocol.PLAIN, Protocol.TLS) : List.of(Protocol.TLS);
    }

    @Override
    public String remedy(OciException.Kind kind, String registry) {
        return switch (kind) {
            case NOT_FOUND -> "; is the name right, and has the image been pushed?";
            case UNAUTHORIZED ->
                "; log in with `docker login " + registry + "` as the user of faasimage-node, or give it the directory"
                        + " of the right config.json as DOCKER_CONFIG";
            case UNTRUSTED ->
                "; when the certificate is from an authority of your own, start faasimage-node with --registry-ca FILE,"
                        + " and when the registry speaks plain HTTP, with --plain-http " + registry;
            case UNAVAILABLE, SLOW -> "; is the image's registry spelt right, and can this node reach it?";
            case REFUSED, MISMATCH, INVALID, LIMIT, CANCELLED -> "";
        };
    }
}

package io.faasimage.oci;

import io.faasimage.format.id.Host;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The policy about the hosts of registries of a program whose user names the images, and may reach any. A registry of
 * this machine is first spoken to without TLS, as is the custom.
 *
 * @param plainHttp hosts (with port) that are spoken to without TLS
 * @param program whose options {@code --registry-ca} and {@code --plain-http} messages name
 */
public record UserHosts(Set<String> plainHttp, String program) implements HostPolicy {
    /** Lower-case names. */
    public UserHosts {
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
                "; log in with `docker login " + registry + "` as the user of " + program + ", or give it the directory"
                        + " of the right config.json as DOCKER_CONFIG";
            case UNTRUSTED ->
                "; when the certificate is from an authority of your own, start " + program
                        + " with --registry-ca FILE," + " and when the registry speaks plain HTTP, with --plain-http "
                        + registry;
            case UNAVAILABLE, SLOW -> "; is the image's registry spelt right, and can this machine reach it?";
            case REFUSED, MISMATCH, INVALID, LIMIT, CANCELLED -> "";
        };
    }
}

package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Host;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The way to a listed host. */
class HostLinkTest {
    private final OciRegistry.Options options = OciRegistryTest.options(_ -> Optional.empty());

    private HostLink link(Optional<URI> root, Optional<Duration> dialTimeout, String registry) {
        RegistryHost host =
                new RegistryHost(root, EnumSet.allOf(Capability.class), HostTls.USUAL, Map.of(), dialTimeout);
        return HostLink.of(host, registry, options);
    }

    @Test
    void theTimeToConnectIsTheHosts() {
        Duration second = Duration.ofSeconds(1);
        HostLink link = link(Optional.of(URI.create("https://m:1/x/v2")), Optional.of(second), "docker.io");
        assertThat(link.connect()).isEqualTo(second);
        assertThat(link.path()).isEqualTo("/x/v2");
        assertThat(link.own()).contains(new Host("m", 1));
    }

    @Test
    void theRegistryItselfIsReachedAsUsual() {
        HostLink link = link(Optional.empty(), Optional.empty(), "docker.io");
        assertThat(link.connect()).isEqualTo(HostLink.CONNECT);
        assertThat(link.path()).isEqualTo("/v2");
        assertThat(link.own()).contains(new Host("registry-1.docker.io", 443));
        assertThat(link.policy().protocols(new Host("localhost", 1)))
                .isEqualTo(options.policy().protocols(new Host("localhost", 1)));
    }
}

package io.faasimage.node.containerd.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeasesTest {
    private final Leases leases = new Leases("faasimage");

    @Test
    void aLeaseIsLeftWhenItsPullIsOverAndOthersAreNotOurs() {
        String running = leases.begin();
        assertThat(leases.isLeft(running)).isFalse();
        leases.end(running);
        assertThat(leases.isLeft(running)).isTrue();
        assertThat(leases.isLeft("faasimage-faasimage-" + UUID.randomUUID())).isTrue();
        assertThat(leases.isLeft("faasimage-faasimage-other-" + UUID.randomUUID()))
                .isFalse();
        assertThat(leases.isLeft("faasimage-other-" + UUID.randomUUID())).isFalse();
        assertThat(leases.isLeft("754587028-Yj9U")).isFalse();
    }

    @Test
    void aNamespaceIsLookedThroughOnceAndAgainAfterAFailure() {
        assertThat(leases.claimCleaning("default")).isTrue();
        assertThat(leases.claimCleaning("default")).isFalse();
        assertThat(leases.claimCleaning("k8s.io")).isTrue();
        leases.unclean("default");
        assertThat(leases.claimCleaning("default")).isTrue();
    }
}

package io.faasimage.node.containerd.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationChainsTest {
    private static final Digest DIFF_ID = Digest.of(new byte[] {1});

    private static Optional<List<ChainId>> chains(String configuration) {
        return ConfigurationChains.of(
                configuration.replace("@", DIFF_ID.toString()).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aConfigurationGivesItsChains() {
        assertThat(chains("{\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[\"@\"]}}"))
                .contains(ChainId.ofLayers(List.of(DIFF_ID)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"name\":\"a chart\",\"diff_ids\":[\"@\"]}"})
    void anArtifactHasNone(String configuration) {
        assertThat(chains(configuration)).contains(List.of());
    }

    /** A node has little memory. */
    @Test
    void whatIsMuchLargerThanAnImageNeedsIsNotDecided() {
        assertThat(chains("{\"a\":[" + "{},".repeat(1_000_000) + "{}],\"rootfs\":{\"diff_ids\":[\"@\"]}}"))
                .isEmpty();
        assertThat(chains("{\"rootfs\":{\"diff_ids\":[" + "\"@\",".repeat(2000) + "\"@\"]}}"))
                .isEmpty();
    }

    /** Those that Go reads in another way than this process, or that neither can read. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Rootfs\":{\"diff_ids\":[\"@\"]}}",
                "{\"rootf\u017f\":{\"diff_ids\":[\"@\"]}}",
                "{\"rootfs\":{\"diff_ids\":[]},\"ROOTFS\":{\"diff_ids\":[\"@\"]}}",
                "{\"rootfs\":{\"diff_ids\":[\"@\"]},\"rootfs\":{\"type\":\"layers\"}}",
                "{\"rootfs\":{\"Diff_Ids\":[\"@\"]}}",
                "{\"rootfs\":{\"diff_ids\":[],\"DIFF_IDS\":[\"@\"]}}",
                "{\"rootfs\":{\"diff_ids\":[\"sha512:00\"]}}",
                "{\"rootfs\":[]}",
                "[]",
                "no JSON"
            })
    void whatContainerdMayReadInAnotherWayIsNotDecided(String configuration) {
        assertThat(chains(configuration)).isEmpty();
    }
}

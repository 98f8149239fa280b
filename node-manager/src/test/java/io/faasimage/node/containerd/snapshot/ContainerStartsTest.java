package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContainerStartsTest extends AbstractSnapshotterTest {
    @Test
    void aTracedStartIsABindMountUntilItIsRemoved() throws IOException {
        plans.planned.add(TOP);
        String top = claim("", TOP);
        tracing.directory = Optional.of(Path.of("/traced"));

        Mount bind = Mount.bind("/traced", true);
        assertThat(snapshotter.prepare("ns/1/c", top, Map.of())).containsExactly(bind);
        assertThat(snapshotter.mounts("ns/1/c")).containsExactly(bind);
        assertThat(tracing.begun).containsExactly("ns/1/c " + TOP);
        snapshotter.remove("ns/1/c");
        assertThat(tracing.ended).containsExactly("ns/1/c");

        snapshotter.view("ns/2/v", top, Map.of());
        snapshotter.prepare("ns/3/extract-1 x", top, Map.of());
        assertThat(tracing.begun).hasSize(1);
        assertThat(plans.started).containsExactly(TOP);
    }

    @Test
    void theStartOfADockerContainerIsTracedAndNotItsInitLayer() throws IOException {
        ordinary("ns/1/extract-1 " + TOP, "", "ns/2/" + TOP);
        tracing.directory = Optional.of(Path.of("/traced"));
        String container = "0123456789abcdef".repeat(4);

        snapshotter.prepare("moby/3/" + container + "-init-key", "ns/2/" + TOP, Map.of());
        snapshotter.commit("moby/4/" + container + "-init", "moby/3/" + container + "-init-key", "", Map.of());
        snapshotter.prepare("moby/5/" + container, "moby/4/" + container + "-init", Map.of());

        assertThat(tracing.begun).containsExactly("moby/5/" + container + " " + TOP);
    }

    @Test
    void aStartThatCannotBeTracedGoesOn() throws IOException {
        plans.planned.add(TOP);
        String top = claim("", TOP);
        tracing.fails = true;

        assertThat(snapshotter.prepare("ns/1/c", top, Map.of()).getFirst().type())
                .isEqualTo("overlay");
    }

    @Test
    void aTraceEndsBeforeItsSnapshotIsForgotten() throws IOException {
        List<String> recorded = new ArrayList<>();
        tracing.onRemoved = key -> recorded.add(snapshotter.stat(key).key());
        snapshotter.prepare("c", "", Map.of());
        snapshotter.remove("c");
        assertThat(recorded).containsExactly("c");
    }

    @Test
    void aContainerWhoseNameBeginsLikeALayersKeyIsAContainer() throws IOException {
        plans.planned.add(BASE);
        String base = claim("", BASE);
        snapshotter.prepare("ns/9/extract-reports", base, Map.of());
        assertThat(tracing.begun).containsExactly("ns/9/extract-reports " + BASE);
    }
}

package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class LayerClaimsTest extends AbstractSnapshotterTest {
    @Test
    void aPlannedLayerIsClaimedAndListedForContainerd() throws IOException {
        plans.planned.addAll(List.of(BASE, TOP));

        String base = claim("", BASE);
        String top = claim(base, TOP);

        Snapshot listed = snapshotter.stat(top);
        assertThat(listed.kind()).isEqualTo(SnapshotKind.COMMITTED);
        assertThat(listed.parent()).isEqualTo(base);
        assertThat(listed.labels()).containsEntry(Snapshot.REF_LABEL, TOP.toString());
        assertThat(SnapshotFilter.anyOf(
                                List.of("labels.\"containerd.io/snapshot.ref\"==" + TOP + ",parent==\"" + base + "\""))
                        .test(listed))
                .isTrue();
        assertThat(plans.claimed).containsExactly(BASE, TOP);
    }

    @Test
    void claimingTwiceGivesTheSameSnapshotAndAnotherParentAnother() throws IOException {
        plans.planned.add(TOP);
        ordinary("ns/1/extract-1 x", "", "layer-a");
        ordinary("ns/2/extract-1 x", "", "layer-b");

        assertThat(claim("layer-a", TOP)).isEqualTo(claim("layer-a", TOP)).isNotEqualTo(claim("layer-b", TOP));
    }

    @Test
    void twoPullsAtOnceClaimOneSnapshot() throws Exception {
        plans.planned.add(BASE);
        List<Callable<String>> pulls = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            pulls.add(() -> claim("", BASE));
        }
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (Future<String> name : threads.invokeAll(pulls)) {
                assertThat(name.get()).isEqualTo(BASE.toString());
            }
        }
        assertThat(snapshotter.list()).hasSize(1);
    }

    @Test
    void withoutLabelAPlannedChainIsOrdinary() throws IOException {
        plans.planned.add(BASE);

        List<Mount> mounts = snapshotter.prepare("ns/1/extract-1 " + BASE, "", Map.of());

        assertThat(mounts).hasSize(1).first().extracting(Mount::type).isEqualTo("bind");
        assertThat(plans.claimed).isEmpty();
    }

    @Test
    void aPodsAnnotationOfTheLabelsNameClaimsNoLayer() throws IOException {
        plans.planned.add(BASE);
        snapshotter.prepare("ns/1/0badc0ffee", "", Map.of(Snapshot.REF_LABEL, BASE.toString()));
        assertThat(snapshotter.list()).singleElement().satisfies(sandbox -> {
            assertThat(sandbox.remote()).isFalse();
            assertThat(sandbox.chain()).isEmpty();
        });
    }

    @Test
    void aChainIsReleasedWithItsLastSnapshot() throws IOException {
        plans.planned.add(TOP);
        ordinary("ns/1/extract-1 x", "", "layer-a");
        String first = claim("", TOP);
        String second = claim("layer-a", TOP);

        snapshotter.remove(first);
        assertThat(plans.released).isEmpty();
        snapshotter.remove(second);
        assertThat(plans.released).containsExactly(TOP);
    }
}

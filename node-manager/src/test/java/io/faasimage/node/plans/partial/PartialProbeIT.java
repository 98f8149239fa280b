package io.faasimage.node.plans.partial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.faasimage.linux.KernelVersion;
import io.faasimage.linux.MountTable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real mounts over loop devices; needs root. */
class PartialProbeIT {
    @TempDir
    Path temp;

    @Test
    void thisKernelReadsPartialObjectsRightAndNothingIsLeft() throws Exception {
        KernelVersion tested = new KernelVersion(6, 18);
        assumeTrue(
                KernelVersion.running().compareTo(tested) == 0,
                "skipped: what other kernels than 6.18 do is not known");
        assertThat(PartialProbe.problem(temp)).isEmpty();
        assertThat(MountTable.read().below(temp.toRealPath())).isEmpty();
        try (var files = Files.list(temp)) {
            assertThat(files).isEmpty();
        }
    }
}

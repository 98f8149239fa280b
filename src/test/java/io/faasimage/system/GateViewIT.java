package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Cold starts on root file systems that the gate shows, as on kernels that cannot mount them, and the faults there. */
final class GateViewIT extends AbstractColdStartTest {
    @RegisterExtension
    static final RunningCluster RUNNING =
            new RunningCluster(() -> Cluster.start(ClusterOptions.mounts(Cluster.Mounts.FUSE)));

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    GateViewIT() {
        super(RUNNING);
    }

    @Override
    void assertMounted(JsonNode status) {
        assertThat(status.path("mounts").asString()).startsWith("fuse: ");
        assertThat(status.path("gate").path("imagesMapped").asInt()).isPositive();
    }

    @Test
    void theFirstStartOfARegisteredImageIsTracedByItself() throws IOException, InterruptedException {
        String planned = RUNNING.images().planned("traced");
        JsonNode info = cluster().faasimageJson("image", "inspect", planned);
        // busybox, passwd and start.txt, traced on ordinary layers; now the same start is traced on the gate's view.
        int files = info.path("tracedFiles").asInt();
        JsonNode again = cluster().faasimageJson("trace", planned, "--limit", "30");
        assertThat(again.path("image").path("state").asString()).isEqualTo("PLANNED");
        assertThat(cluster()
                        .faasimageJson("image", "inspect", planned)
                        .path("tracedFiles")
                        .asInt())
                .isEqualTo(files)
                .isBetween(2, 6);
        assertThat(cluster().agent.status().path("gate").path("imageCallbacks").asLong())
                .isPositive();
    }

    @Test
    void afterTheGateDiedNewContainersStart() throws IOException, InterruptedException {
        String image = RUNNING.images().planned("killgate");
        RUNNING.start(image, "live");
        long gate = cluster().agent.gatePid();
        Shell.run("kill", "-9", Long.toString(gate)).ok();
        RUNNING.awaitOtherGate(gate);
        assertThat(cluster().containers.exec("live", "cat /app/late1.txt").exit())
                .isNotZero();
        cluster().containers.runWaiting(image, "next");
        assertThat(cluster()
                        .containers
                        .exec("next", "cat /app/start.txt /app/late5.txt")
                        .ok())
                .isEqualTo("read at the start of killgate\nlate 5 of killgate\n");
    }
}

package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many starts, and many look-ups, at once on a node that holds nothing. */
final class CrowdIT {
    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(Cluster::start);

    private static final int FUNCTIONS = 40;
    private static final int LOOK_UPS = 256;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Registers images and gives them traces of one file, as if each had started elsewhere. */
    private static void plan(Map<String, String> images) throws IOException, InterruptedException {
        try (ServiceClient client = RUNNING.cluster().client()) {
            List<Digest> digests = new ArrayList<>();
            for (Map.Entry<String, String> image : images.entrySet()) {
                FunctionInfo function =
                        client.register(new FunctionRequest(image.getKey(), image.getValue(), null, null));
                Digest digest = Digest.parse(function.digest());
                ChainId top = ChainId.parse(client.image(digest).chains().getLast());
                TraceEntry first = new TraceEntry(FilePath.ofText("app/start.txt"), 1, 0, 0, List.of());
                client.postTrace(TraceCodec.encode(new Trace(top, 1, List.of(first))));
                digests.add(digest);
            }
            for (Digest digest : digests) {
                Wait.until(LIMIT, "a plan", () -> client.image(digest).state() == ImageState.PLANNED);
            }
        }
    }

    /** As the command does, without a JVM for each; the way in which the image was pulled. */
    private static String pull(String image) throws IOException {
        return new ControlClient(RUNNING.cluster().run.resolve("node.sock"))
                .call(NodeOperations.PULL, new PullRequest(image, "default", false))
                .way();
    }

    @Test
    void fortyFunctionsStartAtOnce() throws IOException, InterruptedException, ExecutionException {
        Map<String, String> images = new LinkedHashMap<>();
        for (int i = 0; i < FUNCTIONS; i++) {
            images.put("crowd" + i, RUNNING.images().image("crowd" + i));
        }
        plan(images);
        RUNNING.cluster().faasimage("node", "prune", "--all").ok();
        List<Future<String>> read = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(FUNCTIONS)) {
            images.forEach((name, image) -> read.add(threads.submit(() -> {
                assertThat(pull(image)).isEqualTo("planned");
                RUNNING.cluster().runWaiting(image, name);
                return RUNNING.cluster()
                        .exec(name, "cat /app/start.txt /app/never.txt")
                        .ok();
            })));
        }
        for (int i = 0; i < FUNCTIONS; i++) {
            assertThat(read.get(i).get())
                    .isEqualTo("read at the start of crowd" + i + "\nnot read at the start of crowd" + i + "\n");
        }
    }

    @Test
    void everyOneOfManyLookUpsIsAnswered() throws IOException, InterruptedException {
        Path content = Files.createDirectories(RUNNING.cluster().dir.resolve("many"));
        Path app = Files.createDirectories(content.resolve("app"));
        Files.writeString(app.resolve("start.txt"), "start");
        for (int i = 0; i < LOOK_UPS; i++) {
            Files.writeString(app.resolve("late" + i), "late " + i + "\n");
        }
        String image = RUNNING.images().push("many", "1", content, "sleep 600 & wait");
        plan(Map.of("many", image));
        assertThat(pull(image)).isEqualTo("planned");
        RUNNING.cluster().runWaiting(image, "many");
        String all = "i=0; while [ $i -lt " + LOOK_UPS + " ]; do cat /app/late$i & i=$((i+1)); done; wait";
        assertThat(RUNNING.cluster().exec("many", all).ok().lines())
                .hasSize(LOOK_UPS)
                .doesNotHaveDuplicates();
    }
}

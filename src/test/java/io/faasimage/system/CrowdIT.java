package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlException;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.api.control.node.WarmRequest;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.testing.Wait;
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

    private static final int FUNCTIONS = 12;
    private static final int LOOK_UPS = 256;
    private static final int CATALOGUE = 4;
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
                TraceEntry first = TraceEntry.whole(FilePath.ofText("app/start.txt"), 1, 0, 0);
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
        return RUNNING.cluster()
                .agent
                .control()
                .call(NodeOperations.PULL, new PullRequest(image, "default", false))
                .way();
    }

    private static String wayOrFailure(String image) throws IOException {
        try {
            return pull(image);
        } catch (ControlException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void manyFunctionsStartAtOnce() throws IOException, InterruptedException, ExecutionException {
        Map<String, String> images = new LinkedHashMap<>();
        for (int i = 0; i < FUNCTIONS; i++) {
            images.put("crowd" + i, RUNNING.images().image("crowd" + i));
        }
        plan(images);
        RUNNING.cluster().agent.prune();
        List<Future<String>> read = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(FUNCTIONS)) {
            images.forEach((name, image) -> read.add(threads.submit(() -> {
                assertThat(pull(image)).isEqualTo("planned");
                RUNNING.cluster().containers.runWaiting(image, name);
                return RUNNING.cluster()
                        .containers
                        .exec(name, "cat /app/start.txt /app/never.txt")
                        .ok();
            })));
        }
        for (int i = 0; i < FUNCTIONS; i++) {
            assertThat(read.get(i).get())
                    .isEqualTo("read at the start of crowd" + i + "\nnot read at the start of crowd" + i + "\n");
        }
    }

    /** The agent is killed while it fills the catalogue; a restart makes a pass at once. */
    @Test
    void theCatalogueKeepsImagesReadyWithoutTheirObjects() throws IOException, InterruptedException {
        Map<String, String> images = new LinkedHashMap<>();
        for (int i = 0; i < CATALOGUE + 2; i++) {
            images.put("ready" + i, RUNNING.images().image("ready" + i));
        }
        plan(images);
        List<String> wanted = new ArrayList<>(images.values()).subList(2, images.size());
        Cluster cluster = RUNNING.cluster();
        cluster.agent.prune();
        String[] options = {"--catalogue", "" + CATALOGUE, "--catalogue-namespaces", "default,fn", "--disk-reserve", "1"
        };
        cluster.agent.restart(options);
        Wait.until(LIMIT, "the first image", () -> !catalogued("fn").isEmpty());
        cluster.agent.restart(options);
        Wait.until(LIMIT, "the catalogue", () -> ready() == CATALOGUE);
        assertThat(catalogued("default")).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(catalogued("fn")).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(cluster.containers.ctr("leases", "ls", "-q").ok()).isEmpty();
        assertThat(cluster.agent.status().path("store").path("objects").asLong())
                .isZero();

        // An image of the catalogue starts without a pull before; a hint fetches its objects earlier.
        cluster.containers.runWaiting(wanted.getFirst(), "ready");
        assertThat(cluster.containers.exec("ready", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of ready2\n");
        cluster.containers.remove("ready");
        ControlClient node = cluster.agent.control();
        String hinted = node.call(NodeOperations.WARM, WarmRequest.ofChain(top("ready3")))
                .plan();
        Wait.until(
                LIMIT,
                "the hinted objects",
                () -> node.call(NodeOperations.STATUS).plans().stream()
                        .anyMatch(plan ->
                                plan.complete() && String.valueOf(plan.plan()).equals(hinted)));

        // A pull makes an image the user's.
        assertThat(pull(wanted.getLast())).isEqualTo("planned");
        try (ServiceClient client = cluster.client()) {
            client.deleteFunction("ready2", false);
            client.deleteFunction("ready" + (CATALOGUE + 1), false);
        }
        cluster.agent.restart(options);
        List<String> left = wanted.subList(1, wanted.size() - 1);
        Wait.until(LIMIT, "the removal", () -> !catalogued("default").contains(wanted.getFirst()));
        assertThat(catalogued("default")).containsAll(left).doesNotContain(wanted.getLast());
        assertThat(imagesOf("default")).contains(wanted.getLast()).doesNotContain(wanted.getFirst());

        cluster.agent.restart();
        Wait.until(LIMIT, "the end of the catalogue", () -> catalogued("fn").isEmpty());
        Wait.until(LIMIT, "its end", () -> catalogued("default").isEmpty());
        assertThat(imagesOf("default")).contains(wanted.getLast()).doesNotContainAnyElementsOf(left);
    }

    /** The identity serves the agent and its gate until it is revoked. */
    @Test
    void anEnrolledNodeHasAnIdentityOfItsOwn() throws IOException, InterruptedException {
        String enrolled = RUNNING.images().image("enrolled");
        String revoked = RUNNING.images().image("revoked");
        plan(Map.of("enrolled", enrolled, "revoked", revoked));
        Cluster cluster = RUNNING.cluster();
        cluster.agent.prune();
        Path token = Files.writeString(
                cluster.dir.resolve("enrolment"),
                cluster.faasimage("token", "create", "enrolled-node", "--enrol").ok());
        cluster.agent.restart("--node-name", "enrolled-node", "--enrol-token-file", token.toString());
        assertThat(pull(enrolled)).isEqualTo("planned");
        cluster.containers.runWaiting(enrolled, "enrolled");
        assertThat(cluster.containers.exec("enrolled", "cat /app/never.txt").ok())
                .isEqualTo("not read at the start of enrolled\n");
        Wait.until(
                LIMIT,
                "the node's report",
                () -> cluster.faasimage("nodes", "--quiet").ok().contains("enrolled-node"));

        String[] identity = cluster.faasimage("token", "list", "--quiet").ok().split("\n", -1);
        cluster.faasimage("token", "revoke", identity[0]).ok();
        try {
            // No plan, and no files of layers that this node has planned: the pull fails, or unpacks all of them.
            assertThat(wayOrFailure(revoked)).isNotEqualTo("planned");
            assertThat(cluster.agent.log())
                    .contains("was revoked on")
                    .doesNotContain(Files.readString(token).strip());
        } finally {
            cluster.agent.restart();
        }
    }

    private static int ready() throws IOException, InterruptedException {
        return RUNNING.cluster().agent.status().path("catalogue").path("ready").asInt();
    }

    private static String top(String function) throws IOException {
        try (ServiceClient client = RUNNING.cluster().client()) {
            Digest image = Digest.parse(client.function(function).digest());
            return client.image(image).chains().getLast();
        }
    }

    private static List<String> catalogued(String namespace) throws IOException, InterruptedException {
        return RUNNING.cluster()
                .containers
                .ctr("-n", namespace, "images", "ls", "-q", "labels.\"faasimage/catalogue.faasimage\"")
                .ok()
                .lines()
                .toList();
    }

    private static List<String> imagesOf(String namespace) throws IOException, InterruptedException {
        return RUNNING.cluster()
                .containers
                .ctr("-n", namespace, "images", "ls", "-q")
                .ok()
                .lines()
                .toList();
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
        RUNNING.cluster().containers.runWaiting(image, "many");
        String all = "i=0; while [ $i -lt " + LOOK_UPS + " ]; do cat /app/late$i & i=$((i+1)); done; wait";
        assertThat(RUNNING.cluster().containers.exec("many", all).ok().lines())
                .hasSize(LOOK_UPS)
                .doesNotHaveDuplicates();
    }
}

package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.api.start.StartSummary;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A function's way from registration to a cold start, and the faults on it, with every process real. The image is a
 * small busybox root file system of two layers; its start reads one file, others are left for later.
 */
final class ColdStartIT extends AbstractColdStartTest {
    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(Cluster::start);

    ColdStartIT() {
        super(RUNNING);
    }

    @Override
    void assertMounted(JsonNode status) {
        assertThat(status.path("mounts").asString()).doesNotStartWith("plain overlay");
    }

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    private static String image(String name) throws IOException, InterruptedException {
        return RUNNING.images().image(name);
    }

    private static String planned(String name) throws IOException, InterruptedException {
        return RUNNING.images().planned(name);
    }

    private static void forget(String image) throws IOException, InterruptedException {
        RUNNING.images().forget(image);
    }

    private static void pull(String image) throws IOException {
        cluster().agent.pull(image);
    }

    @Test
    void anUpdateMovesTheChangedStartUpObjectsAndLittleMore(@TempDir Path content)
            throws IOException, InterruptedException {
        UpdatedImage.planned(RUNNING, content).assertMovesTheChangedStartUpObjectsAndLittleMore();
    }

    @Test
    void aPlannedImageIsExportedOnceItsLayersAreFetchedAndTheyStay() throws IOException, InterruptedException {
        String image = planned("exported");
        Path archive = cluster().dir.resolve("exported.tar");
        // The base layer of an ordinary image would not be fetched again.
        for (String other :
                cluster().containers.ctr("images", "ls", "-q").ok().lines().toList()) {
            forget(other);
        }
        pull(image);
        assertThat(cluster()
                        .containers
                        .ctr("images", "export", archive.toString(), image)
                        .err())
                .contains("not found");

        JsonNode content = cluster().faasimageJson("pull", "--content", image).path("content");
        assertThat(content.path("fetched").asInt())
                .isPositive()
                .isEqualTo(content.path("layers").asInt());
        cluster().containers.ctr("images", "tag", image, image + "-copy").ok();
        cluster().containers.ctr("images", "rm", "--sync", image + "-copy").ok(); // and collect garbage
        cluster().containers.ctr("images", "export", archive.toString(), image).ok();
        assertThat(cluster()
                        .faasimageJson("pull", "--content", image)
                        .path("content")
                        .path("fetched")
                        .asInt())
                .isZero();
        Files.delete(archive);
    }

    @Test
    void aLeaseThatAKilledNodeLeftIsGivenBackByTheNextPull() throws IOException, InterruptedException {
        String image = image("leased");
        cluster()
                .containers
                .ctr("leases", "create", "--id", "faasimage-faasimage-" + UUID.randomUUID())
                .ok();
        cluster().containers.ctr("leases", "create", "--id", "of-another").ok();
        pull(image);
        assertThat(cluster().containers.ctr("leases", "ls", "-q").ok().lines()).containsExactly("of-another");
        cluster().containers.ctr("leases", "delete", "of-another").ok();
    }

    @Test
    void aSecondContainerAsksNeitherRegistryNorGate() throws IOException, InterruptedException {
        String image = planned("warm");
        pull(image);
        cluster().containers.runWaiting(image, "warm1");
        cluster().containers.exec("warm1", "cat /app/start.txt").ok();
        long before = gateRequests();
        cluster().containers.runWaiting(image, "warm2");
        cluster().containers.exec("warm2", "cat /app/start.txt").ok();
        assertThat(gateRequests()).isEqualTo(before);
    }

    @Test
    void whatAStartReadsIsReadAheadWhenItIsPresentButNotInThePageCache() throws IOException, InterruptedException {
        String image = planned("cold");
        pull(image);
        // The kernel may have dropped pages that other tests read long ago.
        cluster().containers.runWaiting(image, "cold1");
        cluster().containers.exec("cold1", "cat /app/start.txt").ok();
        int logged = cluster().agent.log().length();
        cluster().containers.runWaiting(image, "cold2");
        cluster().containers.remove("cold1");
        cluster().containers.remove("cold2");
        assertThat(cluster().agent.log().substring(logged)).doesNotContain("read-ahead: read");
        Shell.run("sync").ok();
        Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
        int dropped = cluster().agent.log().length();
        cluster().containers.runWaiting(image, "cold3");
        Wait.until(
                Duration.ofSeconds(30),
                "the objects to be read ahead",
                () -> cluster().agent.log().substring(dropped).contains("read-ahead: read the"));
        assertThat(cluster().containers.exec("cold3", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of cold\n");
    }

    private static long gateRequests() throws IOException, InterruptedException {
        return cluster().agent.status().path("gate").path("requests").asLong();
    }

    @Test
    void withoutARegistryServiceAnUnknownImageIsPulledInTheOrdinaryWayAndTheReasonIsLogged()
            throws IOException, InterruptedException {
        String image = image("ordinary");
        cluster().killService();
        try {
            pull(image);
            cluster().containers.runWaiting(image, "ordinary");
            assertThat(cluster()
                            .containers
                            .exec("ordinary", "cat /app/start.txt")
                            .ok())
                    .isEqualTo("read at the start of ordinary\n");
            assertThat(cluster().agent.log()).contains("is registry-service running", "is treated as unplanned");
        } finally {
            cluster().startService();
        }
    }

    @Test
    void aKnownImageStartsWithoutTheRegistryServiceAlsoAfterARestartOfTheNode()
            throws IOException, InterruptedException {
        String image = planned("offline");
        pull(image);
        cluster().containers.runWaiting(image, "offline0");
        cluster().containers.exec("offline0", "cat /app/start.txt").ok();
        cluster().containers.remove("offline0");
        cluster().killService();
        try {
            cluster().agent.kill();
            cluster().agent.start();
            cluster().containers.runWaiting(image, "offline1");
            assertThat(cluster()
                            .containers
                            .exec("offline1", "cat /app/start.txt")
                            .ok())
                    .isEqualTo("read at the start of offline\n");
        } finally {
            cluster().startService();
        }
    }

    @Test
    void twoPullsOfOneImageAtOnce() throws IOException, InterruptedException, ExecutionException {
        String image = planned("twice");
        CompletableFuture<Integer> first = CompletableFuture.supplyAsync(() -> exitOfPull(image));
        CompletableFuture<Integer> second = CompletableFuture.supplyAsync(() -> exitOfPull(image));
        assertThat(first.get()).isZero();
        assertThat(second.get()).isZero();
        cluster().containers.runWaiting(image, "twice");
        assertThat(cluster().containers.exec("twice", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of twice\n");
    }

    private static int exitOfPull(String image) {
        try {
            return cluster().faasimage("pull", image).exit();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void garbageCollectionKeepsWhatWasOnlyPrefetched() throws IOException, InterruptedException {
        String image = planned("collected");
        pull(image);
        cluster().containers.runWaiting(image, "collected");
        cluster().containers.remove("collected");
        forget(image);
        long held = heldObjects();
        assertThat(held).isPositive();
        pull(image);
        cluster().containers.runWaiting(image, "again");
        assertThat(cluster().containers.exec("again", "cat /app/start.txt").ok())
                .isEqualTo("read at the start of collected\n");
        assertThat(heldObjects()).isEqualTo(held);
    }

    private static long heldObjects() throws IOException, InterruptedException {
        return Long.parseLong(Shell.run("sh", "-c", "find " + cluster().root.resolve("objects") + " -type f | wc -l")
                .ok()
                .strip());
    }

    @Test
    void theFirstStartOfARegisteredImageIsTracedByItself() throws IOException, InterruptedException {
        String image = image("first");
        cluster().faasimage("register", image, "--name", "first").ok();
        pull(image);
        cluster().containers.run(image, "first");
        Wait.until(
                Duration.ofSeconds(90),
                "the plan of a first start",
                () -> cluster().isPlanned(image));
        JsonNode info = cluster().faasimageJson("image", "inspect", image);
        long all = 0;
        long startup = 0;
        for (JsonNode segment : info.path("segments")) {
            all += segment.path("objects").asLong();
            startup += segment.path("startupObjects").asLong();
        }
        // busybox, passwd and start.txt; not the ten other files, and not never.txt, of which only the existence was
        // asked.
        assertThat(startup).isBetween(2L, 6L);
        assertThat(all).isGreaterThan(10);
    }

    @Test
    void aStartIsToldWithItsPhasesAndTheBytesThatTheNodeCounted() throws IOException, InterruptedException {
        String image = planned("reported");
        pull(image);
        cluster().containers.runWaiting(image, "reported");
        cluster().containers.exec("reported", "cat /app/late0.txt").ok();
        StartRecord record = awaitRecord("reported", start -> start.cold() && start.kind() != StartKind.FULL);

        assertThat(record.kind()).isEqualTo(StartKind.MISSES);
        StartPhases phases = record.phases();
        assertThat(Stream.of(phases.asked(), phases.firstByte(), phases.planned(), phases.mounted(), phases.mayStart()))
                .doesNotContainNull()
                .isSorted();
        assertThat(phases.lastObject()).isGreaterThanOrEqualTo(phases.firstByte());
        assertThat(record.demands())
                .filteredOn(demand -> "/app/late0.txt".equals(demand.path()))
                .singleElement()
                .satisfies(demand -> assertThat(demand.at()).isGreaterThan(phases.mayStart()));
        JsonNode counted = cluster()
                .agent
                .status()
                .path("pulls")
                .path("finished")
                .valueStream()
                .filter(pulled -> pulled.path("plan").asString().equals(record.plan()))
                .filter(pulled -> pulled.path("set").asString().equals("startup"))
                .filter(pulled -> pulled.path("objects").asLong() > 0)
                .reduce((_, last) -> last)
                .orElseThrow();
        for (SegmentPull segment : record.segments()) {
            assertThat(segment.bytes())
                    .isEqualTo(counted.path(segment.segment()).path("bytes").asLong());
            assertThat(segment.objects())
                    .isEqualTo(counted.path(segment.segment()).path("objects").asLong());
        }
        assertThat(record.segments()).isNotEmpty();
        assertThat(record.bytes()).isGreaterThan(counted.path("bytes").asLong());
        try (ServiceClient client = cluster().client()) {
            assertThat(client.nodes()).singleElement().satisfies(node -> {
                assertThat(node.alive()).isTrue();
                assertThat(node.report().store().objects()).isPositive();
            });
            assertThat(client.overview().coldStarts()).isPositive();
        }
    }

    private static StartRecord awaitRecord(String function, Predicate<StartRecord> wanted)
            throws IOException, InterruptedException {
        List<StartRecord> found = new ArrayList<>();
        Wait.until(Duration.ofSeconds(60), "the record of a start of " + function, () -> {
            try (ServiceClient client = cluster().client()) {
                for (StartSummary start :
                        client.starts().list(Map.of("function", function)).items()) {
                    StartRecord record = client.starts().get(start.id()).record();
                    if (wanted.test(record)) {
                        found.add(record);
                    }
                }
            }
            return !found.isEmpty();
        });
        return found.getFirst();
    }

    @Test
    void aStartWhoseNodeIsKilledIsToldByTheNextOneOnce() throws IOException, InterruptedException {
        String image = planned("cut");
        pull(image);
        cluster().containers.runWaiting(image, "cut");
        Wait.until(Duration.ofSeconds(20), "the start on the disk", () -> {
            try (Stream<Path> open = Files.list(cluster().root.resolve("records/open"))) {
                return open.anyMatch(file -> !file.getFileName().toString().startsWith(".tmp-"));
            }
        });
        cluster().agent.kill();
        cluster().agent.start();
        StartRecord record =
                awaitRecord("cut", start -> String.valueOf(start.reason()).contains("agent ended"));
        assertThat(record.phases().mayStart()).isNotNull();
        try (ServiceClient client = cluster().client()) {
            assertThat(client.starts()
                            .list(Map.of("function", "cut", "class", "lazy"))
                            .items())
                    .filteredOn(start -> start.id().equals(record.id()))
                    .hasSize(1);
        }
    }

    @Test
    void wrongArgumentsAndUnknownThingsAreClearErrors() throws IOException, InterruptedException {
        Shell.Result unknown = cluster().faasimage("pull", cluster().ociRegistry + "/no/such:1");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err()).contains("error:", "no/such").doesNotContain("\tat ");
        assertThat(cluster()
                        .faasimage("register", cluster().ociRegistry + "/no/such:1")
                        .exit())
                .isEqualTo(1);
        assertThat(cluster().faasimage("nonsense").exit()).isEqualTo(2);
        assertThat(cluster().faasimage("image", "inspect", "größe nicht da").exit())
                .isEqualTo(1);
        assertThat(cluster()
                        .faasimage("trace", cluster().ociRegistry + "/never/registered:1")
                        .err())
                .contains("register");
    }

    @Test
    void statusAndDoctorSpeakJson() throws IOException, InterruptedException {
        assertThat(cluster().agent.status().path("gate").isObject()).isTrue();
        JsonNode diagnoses = Json.mapper()
                .readTree(cluster().faasimage("doctor", "--json").out().getBytes(StandardCharsets.UTF_8));
        // The containerd of this cluster is queried, not the file in /etc.
        assertThat(diagnoses.findValuesAsString("subject"))
                .contains("snapshotter")
                .doesNotContain("containerd config");
        assertThat(diagnoses.findValuesAsString("finding"))
                .contains("containerd has loaded the proxy plugin faasimage");
    }
}

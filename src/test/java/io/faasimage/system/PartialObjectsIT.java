package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.format.FormatException;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Containers on a large file of which the node has only the parts that starts read, and the reports of these parts. */
@Tag("release")
final class PartialObjectsIT {
    private static final int CHUNK = 64 << 10;
    private static final int PAGE = 4096;
    private static final int CHUNKS = 256;
    private static final int FILE_BYTES = CHUNKS * CHUNK + 777;
    private static final int MOST_STARTS = 40;
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final String START = "busybox dd if=/app/large.bin of=/dev/null bs=65536 skip=16 count=8;"
            + " echo > /tmp/done; sleep 600 & wait";
    /** Lines of a chunk's number and its SHA-256; that of nothing when it could not be read. */
    private static final String READ_ALL = "i=0; while [ $i -le " + CHUNKS + " ]; do"
            + " echo $i $(busybox dd if=/app/large.bin bs=65536 skip=$i count=1 2>/dev/null | sha256sum) >> /tmp/read;"
            + " i=$((i+1)); busybox usleep 50000; done; echo > /tmp/all";

    private static final String READ_A_PART =
            "busybox dd if=/app/large.bin of=/dev/null bs=4096 skip=256 count=2; echo > /tmp/done; sleep 600 & wait";

    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(() -> Cluster.start(ClusterOptions.pieces()));

    @TempDir
    private Path work;

    private final byte[] large = new byte[FILE_BYTES];
    private Cluster cluster;
    private ServiceClient service;
    private int logged;

    @BeforeEach
    void connect() throws IOException {
        cluster = RUNNING.cluster();
        service = cluster.client();
        logged = cluster.agent.log().length();
    }

    @AfterEach
    void disconnect() {
        service.close();
    }

    /** The agent's output since the test began. */
    private String log() throws IOException {
        return cluster.agent.log().substring(logged);
    }

    @Test
    void whatIsMissingIsFetchedAndNothingIsEverWrong() throws IOException, InterruptedException {
        String image = planned("missing");
        long mounts = partialMounts();
        // So slow that the file stays partial.
        cluster.agent.restart("--partial", "yes", "--background-rate", "10k");
        cluster.faasimage("pull", image).ok();
        cluster.containers.run(image, "one", "/bin/sh", "-c", START);
        await("one", "/tmp/done");
        assertThat(partialMounts() - mounts).isEqualTo(1);
        assertThat(isWhole()).isFalse();
        assertThat(sum("one", 20)).isEqualTo(expected(20));
        assertThat(sum("one", 200)).isEqualTo(expected(200));
        assertThat(sum("one", CHUNKS)).isEqualTo(expected(CHUNKS));
        assertThat(isWhole()).isFalse();

        cluster.containers.exec("one", "(" + READ_ALL + ") > /dev/null 2>&1 &").ok();
        awaitFurtherReads();
        long gate = cluster.agent.gatePid();
        kill(gate);
        RUNNING.awaitOtherGate(gate);
        awaitFurtherReads();
        cluster.agent.kill();
        awaitFurtherReads();
        cluster.agent.start();
        awaitFurtherReads();
        gate = cluster.agent.gatePid();
        cluster.agent.kill();
        kill(gate);
        awaitFurtherReads();
        cluster.agent.restart("--partial", "yes");
        awaitWhole();
        await("one", "/tmp/all");
        List<String> lines =
                cluster.containers.exec("one", "cat /tmp/read").ok().lines().toList();
        assertThat(lines).hasSize(CHUNKS + 1);
        assertThat(lines)
                .as("a read that fails ends early, and never has other bytes")
                .allMatch(this::isRight);

        // The whole object is below the same mount now: nothing of ours is needed any more.
        gate = cluster.agent.gatePid();
        cluster.agent.kill();
        kill(gate);
        for (int i = 0; i <= CHUNKS; i++) {
            assertThat(sum("one", i)).as("chunk " + i).isEqualTo(expected(i));
        }
        cluster.agent.start();
    }

    @Test
    void wholeObjectsReplaceThePartialOnes() throws IOException, InterruptedException {
        String image = planned("replaced");
        cluster.agent.restart("--partial", "yes");
        cluster.faasimage("pull", image).ok();
        cluster.containers.run(image, "one", "/bin/sh", "-c", START);
        await("one", "/tmp/done");
        assertThat(log()).contains("partial objects of plan");
        awaitWhole();
        cluster.containers.run(image, "two", "/bin/sh", "-c", START);
        await("two", "/tmp/done");
        for (String id : List.of("one", "two")) {
            assertThat(cluster.containers.exec(id, "sha256sum /app/large.bin").ok())
                    .startsWith(Digest.of(large).hex());
        }
    }

    @Test
    void threeStartsOfThePlannedImageShowWhatTheyRead() throws IOException, InterruptedException {
        // Traces are wanted of nodes that use whole objects, too.
        cluster.agent.restart();
        String image = registered("traced", READ_A_PART);
        Digest manifest = manifest(image);
        assertThat(read(manifest).rangeRuns()).isZero();
        cluster.agent.pull(image);
        for (int i = 0; read(manifest).rangeRuns() < 3; i++) {
            assertThat(i).as(log()).isLessThan(MOST_STARTS);
            cluster.containers.run(image, "traced" + i, "/bin/sh", "-c", READ_A_PART);
            await("traced" + i, "/tmp/done");
            // This ends its trace.
            cluster.containers.remove("traced" + i);
        }
        assertThat(read(manifest).ranges()).containsExactly(new ByteRange(256 * 4096, 2 * 4096));
        ChainId top = new ChainId(Digest.parse(service.image(manifest).chains().getLast()));
        assertThat(service.chain(top).orElseThrow().images())
                .allMatch(found -> !found.traceWanted() && !found.rangesWanted());
    }

    private TraceEntry read(Digest manifest) throws IOException {
        try {
            Trace trace = TraceCodec.decode(service.trace(manifest));
            return trace.entries().stream()
                    .filter(entry -> entry.path().equals(FilePath.ofText("app/large.bin")))
                    .findFirst()
                    .orElseThrow();
        } catch (FormatException e) {
            throw new AssertionError("the service sent a damaged trace", e);
        }
    }

    /** The image of a large file whose plan has pieces, none of them on the node; its reference. */
    private String planned(String name) throws IOException, InterruptedException {
        String image = registered(name, START);
        long before = plansWithPieces();
        service.postTrace(withRanges(service.trace(manifest(image))));
        Wait.until(LONG, "a plan with pieces", () -> plansWithPieces() > before);
        return image;
    }

    /** An image of a large file that is as random as its name, with a plan. */
    private String registered(String name, String command) throws IOException, InterruptedException {
        Path content = work.resolve("content");
        new Random(name.hashCode()).nextBytes(large);
        Files.write(Files.createDirectories(content.resolve("app")).resolve("large.bin"), large);
        String image = RUNNING.images().push(name, "1", content, command);
        RUNNING.images().plan(image, name);
        return image;
    }

    private Digest manifest(String reference) throws IOException {
        return service.images().stream()
                .filter(image -> image.name().equals(reference))
                .map(image -> Digest.parse(image.digest()))
                .findFirst()
                .orElseThrow();
    }

    /** The service's plans of the second version, which have pieces. */
    private long plansWithPieces() throws IOException {
        long found = 0;
        try (var plans = Files.walk(cluster.dir.resolve("d/plans"))) {
            for (Path file : plans.filter(Files::isRegularFile).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                found += bytes.length > 4 && bytes[4] == 2 ? 1 : 0;
            }
        }
        return found;
    }

    /** As three starts that read chunks 16 to 24. */
    private static byte[] withRanges(byte[] encoded) {
        try {
            Trace trace = TraceCodec.decode(encoded);
            return TraceCodec.encode(new Trace(
                    trace.chain(),
                    3,
                    trace.entries().stream()
                            .map(entry -> entry.path().equals(FilePath.ofText("app/large.bin"))
                                    ? new TraceEntry(
                                            entry.path(),
                                            3,
                                            3 * entry.rankSum(),
                                            entry.firstAccessMicros(),
                                            3,
                                            List.of(new ByteRange(16L * CHUNK, 8L * CHUNK)))
                                    : new TraceEntry(
                                            entry.path(),
                                            3,
                                            3 * entry.rankSum(),
                                            entry.firstAccessMicros(),
                                            0,
                                            List.of()))
                            .toList()));
        } catch (FormatException e) {
            throw new AssertionError("the service sent a damaged trace", e);
        }
    }

    /** Whether it is the SHA-256 of the chunk, or of whole pages at its beginning, which a failed read may give. */
    private boolean isRight(String line) {
        int chunk = Integer.parseInt(line.substring(0, line.indexOf(' ')));
        int from = chunk * CHUNK;
        for (int length = 0; length <= CHUNK; length += PAGE) {
            byte[] read = Arrays.copyOfRange(large, from, Math.min(FILE_BYTES, from + length));
            if (line.contains(Digest.of(read).hex())) {
                return true;
            }
        }
        return false;
    }

    private String expected(int chunk) {
        int from = chunk * CHUNK;
        return Digest.of(Arrays.copyOfRange(large, from, Math.min(FILE_BYTES, from + CHUNK)))
                .hex();
    }

    private String sum(String id, int chunk) throws IOException, InterruptedException {
        String command = "busybox dd if=/app/large.bin bs=65536 count=1 skip=" + chunk + " | sha256sum";
        return cluster.containers.exec(id, command).ok().substring(0, 64);
    }

    private void await(String id, String file) throws IOException, InterruptedException {
        Wait.until(
                LONG, file, () -> cluster.containers.exec(id, "test -e " + file).exit() == 0);
    }

    /** Waits until the container has read another chunk, or failed to, unless it has gone through all of them. */
    private void awaitFurtherReads() throws IOException, InterruptedException {
        int before = reads();
        Wait.until(
                LONG,
                "further reads",
                () -> reads() > before
                        || cluster.containers.exec("one", "test -e /tmp/all").exit() == 0);
    }

    private int reads() throws IOException, InterruptedException {
        return (int)
                cluster.containers.exec("one", "cat /tmp/read").out().lines().count();
    }

    private boolean isWhole() {
        return Files.exists(
                cluster.root.resolve("objects").resolve(Digest.of(large).objectPath()));
    }

    private void awaitWhole() throws IOException, InterruptedException {
        Wait.until(LONG, "the whole object", () -> isWhole());
        Wait.until(LONG, "its loop device", () -> log().contains("are whole, for running containers"));
    }

    private long partialMounts() throws IOException {
        String below = " " + cluster.root.toRealPath().resolve("partial") + "/";
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(mount -> mount.contains(below))
                .count();
    }

    private static void kill(long pid) throws IOException, InterruptedException {
        Shell.run("kill", "-KILL", Long.toString(pid)).ok();
    }
}

package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers on a large file of which the node has only what starts read. */
final class PartialObjectsIT {
    private static final int CHUNK = 64 << 10;
    private static final int PAGE = 4096;
    private static final int CHUNKS = 256;
    private static final int FILE_BYTES = CHUNKS * CHUNK + 777;
    private static final Duration LONG = Duration.ofSeconds(90);
    private static final String START = "busybox dd if=/app/large.bin of=/dev/null bs=65536 skip=16 count=8;"
            + " echo > /tmp/done; sleep 600 & wait";
    /** Lines of a chunk's number and its SHA-256; that of nothing when it could not be read. */
    private static final String READ_ALL = "i=0; while [ $i -le " + CHUNKS + " ]; do"
            + " echo $i $(busybox dd if=/app/large.bin bs=65536 skip=$i count=1 2>/dev/null | sha256sum) >> /tmp/read;"
            + " i=$((i+1)); busybox usleep 50000; done; echo > /tmp/all";

    @TempDir
    private Path work;

    private final byte[] large = new byte[FILE_BYTES];

    @Test
    void whatIsMissingIsFetchedAndNothingIsEverWrong() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.startWithPieces();
                ServiceClient service = cluster.client()) {
            String image = planned(cluster, service);
            // So slow that the file stays partial.
            cluster.restartNode("--partial", "yes", "--background-rate", "10k");
            cluster.faasimage("pull", image).ok();
            cluster.run(image, "one", "/bin/sh", "-c", START);
            await(cluster, "one", "/tmp/done");
            assertThat(partialMounts(cluster)).isEqualTo(1);
            assertThat(isWhole(cluster)).isFalse();
            assertThat(sum(cluster, "one", 20)).isEqualTo(expected(20));
            assertThat(sum(cluster, "one", 200)).isEqualTo(expected(200));
            assertThat(sum(cluster, "one", CHUNKS)).isEqualTo(expected(CHUNKS));
            assertThat(isWhole(cluster)).isFalse();

            cluster.exec("one", "(" + READ_ALL + ") > /dev/null 2>&1 &").ok();
            Thread.sleep(1000);
            kill(cluster.gatePid());
            Thread.sleep(3000);
            cluster.killNode();
            Thread.sleep(1000);
            cluster.startNode();
            Thread.sleep(1000);
            long gate = cluster.gatePid();
            cluster.killNode();
            kill(gate);
            Thread.sleep(500);
            cluster.restartNode("--partial", "yes");
            awaitWhole(cluster);
            await(cluster, "one", "/tmp/all");
            List<String> lines =
                    cluster.exec("one", "cat /tmp/read").ok().lines().toList();
            assertThat(lines).hasSize(CHUNKS + 1);
            assertThat(lines)
                    .as("a read that fails ends early, and never has other bytes")
                    .allMatch(this::isRight);

            // The whole object is below the same mount now: nothing of ours is needed any more.
            gate = cluster.gatePid();
            cluster.killNode();
            kill(gate);
            for (int i = 0; i <= CHUNKS; i++) {
                assertThat(sum(cluster, "one", i)).as("chunk " + i).isEqualTo(expected(i));
            }
            cluster.startNode();
        }
    }

    @Test
    void wholeObjectsReplaceThePartialOnes() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.startWithPieces();
                ServiceClient service = cluster.client()) {
            String image = planned(cluster, service);
            cluster.faasimage("pull", image).ok();
            cluster.run(image, "one", "/bin/sh", "-c", START);
            await(cluster, "one", "/tmp/done");
            assertThat(cluster.nodeLog()).contains("partial objects of plan");
            awaitWhole(cluster);
            cluster.run(image, "two", "/bin/sh", "-c", START);
            await(cluster, "two", "/tmp/done");
            for (String id : List.of("one", "two")) {
                assertThat(cluster.exec(id, "sha256sum /app/large.bin").ok())
                        .startsWith(Digest.of(large).hex());
            }
        }
    }

    /** The image of a large file whose plan has pieces, none of them on the node; its reference. */
    private String planned(Cluster cluster, ServiceClient service) throws IOException, InterruptedException {
        BusyboxImages images = new BusyboxImages(cluster, work);
        Path content = work.resolve("content");
        new Random(1).nextBytes(large);
        Files.write(Files.createDirectories(content.resolve("app")).resolve("large.bin"), large);
        String image = images.push("large", "1", content, START);
        images.plan(image, "large");
        Digest manifest = Digest.parse(service.images().getFirst().digest());
        service.postTrace(withRanges(service.trace(manifest)));
        Wait.until(LONG, "a plan with pieces", () -> planBytes(cluster)[4] == 2);
        return image;
    }

    /** The newest plan's file of the service. */
    private static byte[] planBytes(Cluster cluster) throws IOException {
        try (var plans = Files.walk(cluster.dir.resolve("d/plans"))) {
            List<Path> files = plans.filter(Files::isRegularFile).toList();
            byte[] newest = new byte[5];
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                newest = bytes.length > 4 && bytes[4] == 2 ? bytes : newest;
            }
            return newest;
        }
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

    private static String sum(Cluster cluster, String id, int chunk) throws IOException, InterruptedException {
        String command = "busybox dd if=/app/large.bin bs=65536 count=1 skip=" + chunk + " | sha256sum";
        return cluster.exec(id, command).ok().substring(0, 64);
    }

    private static void await(Cluster cluster, String id, String file) throws IOException, InterruptedException {
        Wait.until(LONG, file, () -> cluster.exec(id, "test -e " + file).exit() == 0);
    }

    private boolean isWhole(Cluster cluster) {
        return Files.exists(
                cluster.root.resolve("objects").resolve(Digest.of(large).objectPath()));
    }

    private void awaitWhole(Cluster cluster) throws IOException, InterruptedException {
        Wait.until(LONG, "the whole object", () -> isWhole(cluster));
        Wait.until(LONG, "its loop device", () -> cluster.nodeLog().contains("are whole, for running containers"));
    }

    private static long partialMounts(Cluster cluster) throws IOException {
        String below = " " + cluster.root.toRealPath().resolve("partial") + "/";
        return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                .filter(mount -> mount.contains(below))
                .count();
    }

    private static void kill(long pid) throws IOException, InterruptedException {
        Shell.run("kill", "-KILL", Long.toString(pid)).ok();
    }
}

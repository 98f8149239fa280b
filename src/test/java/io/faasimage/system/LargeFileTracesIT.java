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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts of an image with a large file, until the service knows from three of them which part of it they read. */
final class LargeFileTracesIT {
    private static final int FILE_BYTES = (6 << 20) + 5;
    private static final int MOST_STARTS = 40;
    private static final String READ_A_PART =
            "busybox dd if=/app/large.bin of=/dev/null bs=4096 skip=256 count=2; echo > /tmp/done; sleep 600 & wait";

    @TempDir
    private Path work;

    @Test
    void threeStartsOfThePlannedImageShowWhatTheyRead() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.startWithPieces();
                ServiceClient service = cluster.client()) {
            // Traces are wanted of nodes that use whole objects, too.
            cluster.restartNode();
            BusyboxImages images = new BusyboxImages(cluster, work);
            Path content = work.resolve("content");
            byte[] large = new byte[FILE_BYTES];
            new Random(1).nextBytes(large);
            Files.write(Files.createDirectories(content.resolve("app")).resolve("large.bin"), large);
            String image = images.push("large", "1", content, READ_A_PART);
            images.plan(image, "large1");
            Digest manifest = Digest.parse(service.images().getFirst().digest());
            assertThat(read(service, manifest).rangeRuns()).isZero();
            cluster.faasimageJson("pull", "--wait", image);
            for (int i = 0; read(service, manifest).rangeRuns() < 3; i++) {
                assertThat(i).as(cluster.nodeLog()).isLessThan(MOST_STARTS);
                start(cluster, image, "large" + i);
            }
            assertThat(read(service, manifest).ranges()).containsExactly(new ByteRange(256 * 4096, 2 * 4096));
            ChainId top =
                    new ChainId(Digest.parse(service.image(manifest).chains().getLast()));
            assertThat(service.chain(top).orElseThrow().images())
                    .allMatch(found -> !found.traceWanted() && !found.rangesWanted());
        }
    }

    /** The removal of the container ends its trace. */
    private static void start(Cluster cluster, String image, String id) throws IOException, InterruptedException {
        cluster.run(image, id, "/bin/sh", "-c", READ_A_PART);
        cluster.exec(id, "while [ ! -e /tmp/done ]; do sleep 0.1; done").ok();
        cluster.remove(id);
    }

    private static TraceEntry read(ServiceClient service, Digest manifest) throws IOException {
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
}

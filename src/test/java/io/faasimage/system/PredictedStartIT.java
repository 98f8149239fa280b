package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.Digest;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The first starts of versions of a function: one that nothing is known of, the next one, and one that is traced by
 * command.
 */
final class PredictedStartIT {
    private static final int FILE_BYTES = 400_000;
    /** The image does not name the files that the shell's pattern matches, so the first prediction has none of them. */
    private static final String COMMAND = "cat /app/library /app/handler* | sha256sum; sleep 600 & wait";

    @TempDir
    private Path work;

    @Test
    void firstStartsAreLazyAndTheirTracesReplaceThePredictions() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.start(ClusterOptions.predictions());
                ServiceClient service = cluster.client()) {
            BusyboxImages images = new BusyboxImages(cluster, work);
            Path content = work.resolve("content");
            Path app = Files.createDirectories(content.resolve("app"));
            write(app.resolve("library"), 1);
            write(app.resolve("handler"), 2);
            write(app.resolve("unread"), 3);
            String first = images.push("function", "1", content, COMMAND);
            assertThat(predicted(cluster, service, first)).containsExactly("closure");
            startAndAwaitTrace(cluster, service, first, "first");
            assertContent(cluster, "first", app.resolve("handler"));
            assertContent(cluster, "first", app.resolve("unread"));
            int traced = image(service, first).tracedFiles();

            write(app.resolve("handler"), 4);
            write(app.resolve("handler2"), 5);
            String second = images.push("function", "2", content, COMMAND);
            assertThat(predicted(cluster, service, second)).contains("trace");
            startAndAwaitTrace(cluster, service, second, "second");
            assertContent(cluster, "second", app.resolve("handler2"));
            assertThat(image(service, second).tracedFiles()).isEqualTo(traced + 1);
            cluster.containers.removeAll();

            write(app.resolve("handler"), 6);
            String third = images.push("function", "3", content, COMMAND);
            assertThat(predicted(cluster, service, third)).contains("trace");
            JsonNode asked = cluster.faasimageJson("trace", third, "--limit", "30");
            assertThat(asked.path("image").path("state").asString()).isEqualTo("PLANNED");
            assertThat(image(service, third).predicted()).isFalse();
            assertThat(image(service, third).tracedFiles()).isEqualTo(traced + 1);
        }
    }

    /** Registers an image; the evidence that its plan is predicted from. */
    private static List<String> predicted(Cluster cluster, ServiceClient service, String reference)
            throws IOException, InterruptedException {
        String name = "function" + reference.substring(reference.length() - 1);
        cluster.faasimage("register", reference, "--name", name).ok();
        await(service, reference, image -> image.state() == ImageState.PLANNED && image.predicted());
        return cluster.faasimageJson("image", "prediction", name)
                .path("sources")
                .valueStream()
                .map(source -> source.path("evidence").asString())
                .toList();
    }

    private static void startAndAwaitTrace(Cluster cluster, ServiceClient service, String reference, String id)
            throws IOException, InterruptedException {
        JsonNode pulled = cluster.faasimageJson("pull", reference);
        assertThat(pulled.path("way").asString()).isEqualTo("planned");
        cluster.containers.run(reference, id);
        await(service, reference, image -> image.traceRuns() > 0 && image.state() == ImageState.PLANNED);
        ImageInfo traced = image(service, reference);
        assertThat(traced.traceRuns()).isEqualTo(1);
        assertThat(traced.predicted()).isFalse();
        assertThat(traced.planVersion()).isEqualTo(2);
        assertThat(service.jobs())
                .filteredOn(job -> job.image().equals(traced.digest()))
                .hasSize(2);
    }

    private static void assertContent(Cluster cluster, String id, Path file) throws IOException, InterruptedException {
        assertThat(cluster.containers
                        .exec(id, "sha256sum /app/" + file.getFileName())
                        .ok())
                .startsWith(Digest.of(Files.readAllBytes(file)).hex());
    }

    private interface Condition {
        boolean holds(ImageInfo image);
    }

    private static void await(ServiceClient service, String reference, Condition condition)
            throws IOException, InterruptedException {
        Wait.until(
                Duration.ofSeconds(60), "the plan of " + reference, () -> condition.holds(image(service, reference)));
    }

    private static ImageInfo image(ServiceClient service, String reference) throws IOException {
        return service.images().stream()
                .filter(image -> image.name().equals(reference))
                .findFirst()
                .orElseThrow();
    }

    private static void write(Path file, long seed) throws IOException {
        byte[] bytes = new byte[FILE_BYTES];
        new Random(seed).nextBytes(bytes);
        Files.write(file, bytes);
    }
}

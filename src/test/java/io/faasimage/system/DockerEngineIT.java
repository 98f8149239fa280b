package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real Docker Engine on the snapshotter: the usual commands on images that have a plan, and on others. */
@Tag("release")
final class DockerEngineIT {
    /** Manifest and config. */
    private static final int DOCUMENTS = 2;

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final String[] READ = {"/bin/cat", "/app/start.txt", "/app/never.txt"};

    @TempDir
    private static Path work;

    private static Cluster cluster;
    private static DockerEngine engine;
    private static BusyboxImages images;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        Clients clients = Clients.build(Clients.CONTAINERD, Clients.ENGINE);
        cluster = Cluster.start(ClusterOptions.containerd(clients.containerd()));
        engine = DockerEngine.start(cluster, clients);
        images = new BusyboxImages(cluster, work);
    }

    @AfterAll
    static void stopCluster() throws IOException {
        if (engine != null) {
            engine.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    /** Images, too: the layer of a committed one lies on the init layer of its container. */
    @AfterEach
    void removeEverything() throws IOException, InterruptedException {
        engine.remove(engine.all(""));
        for (String id :
                engine.docker("images", "--quiet").ok().lines().distinct().toList()) {
            engine.docker("rmi", "--force", id).ok();
        }
        Wait.until(LIMIT, "nothing of containers", () -> engine.remains().isEmpty());
    }

    /** Pulls an image; how much of it was downloaded. */
    private static int pulled(String image) throws IOException, InterruptedException {
        Set<String> before = Set.copyOf(engine.content());
        engine.docker("pull", image).ok();
        return (int)
                engine.content().stream().filter(blob -> !before.contains(blob)).count();
    }

    private static String content(String name) {
        return "read at the start of " + name + "\nnot read at the start of " + name + "\n";
    }

    private static String read(String image) throws IOException, InterruptedException {
        return engine.docker("run", "--rm", image, READ[0], READ[1], READ[2]).ok();
    }

    @Test
    void aPlannedImageIsPulledWithoutALayer() throws IOException, InterruptedException {
        String image = images.planned("planned");
        assertThat(pulled(image)).isEqualTo(DOCUMENTS);
        assertThat(read(image)).isEqualTo(content("planned"));
    }

    @Test
    void anImageWithoutAPlanIsPulledAsEver() throws IOException, InterruptedException {
        String image = images.image("ordinary");
        assertThat(pulled(image)).isGreaterThan(DOCUMENTS);
        assertThat(read(image)).isEqualTo(content("ordinary"));
    }

    @Test
    void theFirstStartOfARegisteredImageIsTraced() throws IOException, InterruptedException {
        String image = images.image("traced");
        cluster.faasimage("register", image, "--name", "traced").ok();
        engine.docker("run", "--detach", image).ok();
        Wait.until(LIMIT, "a plan of " + image, () -> cluster.isPlanned(image));
    }

    @Test
    void aContainersChangesBecomeAnImage() throws IOException, InterruptedException {
        String image = images.planned("committed");
        engine.docker(
                        "run",
                        "--name",
                        "changed",
                        image,
                        "/bin/sh",
                        "-c",
                        "echo new > /app/start.txt; rm /app/never.txt")
                .ok();
        engine.docker("commit", "changed", "changed:1").ok();
        String script = "cat /app/start.txt /app/late1.txt; ls /app/never.txt || cat /etc/shared.conf";
        assertThat(engine.docker("run", "--rm", "changed:1", "/bin/sh", "-c", script)
                        .ok())
                .isEqualTo("new\nlate 1 of committed\nof the base layer\n");
    }

    /** Docker silently leaves layers out of the archive that its content store does not have. */
    @Test
    void anArchiveIsWholeAfterTheContentWasPulled() throws IOException, InterruptedException {
        String image = images.planned("saved");
        engine.docker("pull", image).ok();
        assertThat(missingLayers(save(image))).isEqualTo(2);
        cluster.faasimage("pull", "--content", "--namespace", DockerEngine.NAMESPACE, image)
                .ok();
        Path whole = save(image);
        assertThat(missingLayers(whole)).isZero();
        engine.docker("rmi", image).ok();
        engine.docker("load", "--input", whole.toString()).ok();
        assertThat(read(image)).isEqualTo(content("saved"));
    }

    private static Path save(String image) throws IOException, InterruptedException {
        Path archive = work.resolve("saved.tar");
        engine.docker("save", "--output", archive.toString(), image).ok();
        return archive;
    }

    /** How many of the layers that the archive's manifest names are not in it. */
    private static long missingLayers(Path archive) throws IOException, InterruptedException {
        List<String> names =
                Shell.run("tar", "-tf", archive.toString()).ok().lines().toList();
        String manifest =
                Shell.run("tar", "-xOf", archive.toString(), "manifest.json").ok();
        JsonNode layers = Json.mapper().readTree(manifest).path(0).path("Layers");
        assertThat(layers).hasSize(2);
        return StreamSupport.stream(layers.spliterator(), false)
                .filter(layer -> !names.contains(layer.asString()))
                .count();
    }
}

package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.rest.Json;
import io.faasimage.format.id.Digest;
import io.faasimage.testing.RegistryServer;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Images that other tools copy to a second registry: a node starts them from there, and never asks the first one. */
@Tag("release")
final class RegistryCopiesIT {
    @RegisterExtension
    static final RunningCluster RUNNING = new RunningCluster(Cluster::start);

    @TempDir
    private Path work;

    private Publisher publisher;
    private RegistryServer second;

    @BeforeEach
    void start() throws IOException, InterruptedException {
        publisher = Publisher.make(cluster(), work, "plan-key");
        second = RegistryServer.start(work.resolve("second"));
    }

    @AfterEach
    void end() throws IOException {
        second.close();
    }

    private static Cluster cluster() {
        return RUNNING.cluster();
    }

    /** The plan refers to the manifest of a platform, not to the index that is copied. */
    @Test
    void orasCopiesAnIndexWithItsPlanThroughALayout() throws IOException, InterruptedException {
        String oras = Clients.build(Clients.ORAS).oras().toString();
        RUNNING.images().image("gapped");
        String image = cluster().ociRegistry + "/gapped:2";
        run(oras, "manifest index create --plain-http", image, "1");
        publisher.publish(image, "--predict");

        String layout = work.resolve("layout") + ":2";
        String copy = second.host() + "/mirror/gapped:2";
        run(oras, "cp -r --from-plain-http --to-oci-layout", image, layout);
        long before = requestsToFirst();
        run(oras, "cp -r --from-oci-layout --to-plain-http", layout, copy);

        publisher.trust();
        PullOutcome pulled = cluster().agent.pull(copy);
        assertThat(pulled.way()).as(pulled.toString()).isEqualTo("planned");
        assertThat(pulled.layersSkipped()).isEqualTo(2);
        assertThat(cluster().agent.log()).contains("from its registry: referrers by tag");
        cluster().containers.runWaiting(copy, "reads");
        String layers = run(oras, "manifest fetch --plain-http --platform linux/amd64", copy);
        String own = Json.mapper().readTree(layers).at("/layers/1/digest").asString();
        assertThat(requestsToSecond()).doesNotContain("GET /v2/mirror/gapped/blobs/" + own);
        assertThat(cluster().containers.exec("reads", "cat /app/late5.txt").ok())
                .isEqualTo("late 5 of gapped\n");
        assertThat(requestsToSecond()).contains("GET /v2/mirror/gapped/blobs/" + own);
        cluster().containers.remove("reads");
        RUNNING.images().starts(copy, "gapped");
        assertThat(requestsToFirst()).isEqualTo(before);
        RUNNING.images().forget(copy);
    }

    /**
     * skopeo copies no referrers, but the tag that lists them. Old versions (1.9.3) drop the type of each entry on the
     * way.
     */
    @Test
    void skopeoCopiesAnImageWithoutItsPlanAndTheTagByName() throws IOException, InterruptedException {
        String image = RUNNING.images().image("walled");
        JsonNode published = publisher.publish(image, "--predict");
        String name = published.path("image").asString();
        Digest manifest = Digest.parse(name.substring(name.indexOf('@') + 1));
        String repository = second.host() + "/mirror/walled";
        String copy = repository + ":1";
        skopeo("copy --src-tls-verify=false --dest-tls-verify=false", "docker://" + image, "docker://" + copy);
        pulledAndStarted(copy, "ordinary");

        String tag = ":sha256-" + manifest.hex();
        String from = "docker://" + cluster().ociRegistry + "/walled" + tag;
        String list = "docker://" + repository + tag;
        skopeo("copy --all --src-tls-verify=false --dest-tls-verify=false", from, list);
        long before = requestsToFirst();
        pulledAndStarted(copy, "planned");

        publisher.publish(copy, "--predict");
        pulledAndStarted(copy, "planned");
        assertThat(requestsToFirst()).isEqualTo(before);
    }

    /** By an agent that remembers nothing of the pull before. */
    private void pulledAndStarted(String copy, String way) throws IOException, InterruptedException {
        cluster().agent.prune();
        publisher.trust();
        PullOutcome pulled = cluster().agent.pull(copy);
        assertThat(pulled.way()).as(pulled.toString()).isEqualTo(way);
        RUNNING.images().starts(copy, "walled");
        RUNNING.images().forget(copy);
    }

    private static String skopeo(String options, String... arguments) throws IOException, InterruptedException {
        return run("skopeo", "--insecure-policy " + options, arguments);
    }

    private static String run(String program, String options, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(options.split(" ")));
        command.addAll(Arrays.asList(arguments));
        return Shell.run(Map.of(), command).ok();
    }

    /** How many it has answered. */
    private static long requestsToFirst() throws IOException {
        try (Stream<String> lines = Files.lines(cluster().dir.resolve("oci/registry.log"))) {
            return lines.filter(line -> line.contains(" HTTP/1.1\"")).count();
        }
    }

    /** Those that it has answered, as it logs them. */
    private String requestsToSecond() throws IOException {
        return Files.readString(work.resolve("second/registry.log"));
    }
}

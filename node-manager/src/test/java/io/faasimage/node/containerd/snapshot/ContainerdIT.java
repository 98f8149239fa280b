package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.linux.MountTable;
import io.faasimage.node.containerd.image.ContainerdChannel;
import io.faasimage.node.containerd.image.ContentManifests;
import io.faasimage.node.containerd.image.ImageSources;
import io.faasimage.node.plans.lazy.LazyImages;
import io.faasimage.node.plans.lazy.PullProof;
import io.faasimage.node.plans.lazy.WantedLayer;
import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The snapshotter under a real containerd with its own client, ctr. Needs root, containerd, runc and busybox-static.
 */
class ContainerdIT {
    private static final String[] RUN = {"run", "--rm", "--snapshotter", Containerd.SNAPSHOTTER};

    @TempDir
    Path directory;

    private Path socket;
    private TestImage image;

    @BeforeEach
    void buildImage() throws Exception {
        directory = directory.toRealPath();
        socket = directory.resolve("s.sock");
        image = TestImage.build(directory.resolve("image"));
    }

    @AfterEach
    void nothingIsLeftMounted() throws Exception {
        assertThat(MountTable.read().below(directory)).isEmpty();
    }

    @Test
    void anOrdinaryImageIsImportedRunAndCommitted() throws Exception {
        try (SnapshotterServer server = serve(new FakePlans());
                Containerd containerd = Containerd.start(directory.resolve("c"), socket)) {
            containerd.ctr(
                    "images",
                    "import",
                    "--snapshotter",
                    Containerd.SNAPSHOTTER,
                    image.archive().toString());

            theManifestsThatMayBePulledAreFound(containerd);
            assertThat(run(containerd, "names", """
                            cat "/data/a name with spaces" /data/größe "/data/$(printf 'caf\\351')"; ls /data/gone""")).contains("spaces", "umlaut", "latin", "No such file");

            containerd.ctr(
                    "snapshots",
                    "--snapshotter",
                    Containerd.SNAPSHOTTER,
                    "prepare",
                    "work",
                    image.chains().getLast().toString());
            containerd.ctr("snapshots", "--snapshotter", Containerd.SNAPSHOTTER, "commit", "layer", "work");
            assertThat(containerd.ctr("snapshots", "--snapshotter", Containerd.SNAPSHOTTER, "info", "layer"))
                    .contains("Committed", image.chains().getLast().toString());
            assertThat(server).isNotNull();
        }
    }

    /** Every manifest that has the requested layer, since any of them may be the one that is pulled. */
    private void theManifestsThatMayBePulledAreFound(Containerd containerd) throws Exception {
        String listed = containerd.ctr("images", "list");
        Matcher digest = Pattern.compile("sha256:[0-9a-f]{64}").matcher(listed);
        assertThat(digest.find()).as(listed).isTrue();
        String manifest = digest.group();
        Matcher config = Pattern.compile("\"config\":.*?(sha256:[0-9a-f]{64})", Pattern.DOTALL)
                .matcher(containerd.ctr("content", "get", manifest));
        assertThat(config.find()).isTrue();
        try (ContainerdChannel channel = new ContainerdChannel(containerd.socket())) {
            for (ChainId chain : image.chains()) {
                WantedLayer layer = new WantedLayer(chain, Optional.empty(), PullProof.Purpose.START, 1, "test");
                assertThat(new ContentManifests(List.of(channel), new ImageSources(List.of(channel))).of(layer))
                        .containsExactly(Digest.parse(manifest));
                WantedLayer elsewhere = new WantedLayer(chain, Optional.empty(), PullProof.Purpose.START, 1, "other");
                assertThatThrownBy(() -> new ContentManifests(List.of(channel), new ImageSources(List.of(channel)))
                                .of(elsewhere))
                        .hasMessageContaining("no manifest");
            }
            String forged = "{\"forged\": true}";
            Digest other = Digest.of(forged.getBytes(StandardCharsets.UTF_8));
            Path file = Files.writeString(directory.resolve("forged"), forged);
            root(containerd, file, other, "containerd.io/gc.ref.content.config=" + config.group(1));
            WantedLayer layer =
                    new WantedLayer(image.chains().getFirst(), Optional.empty(), PullProof.Purpose.START, 1, "test");
            ContentManifests fresh = new ContentManifests(List.of(channel), new ImageSources(List.of(channel)));
            assertThat(fresh.of(layer)).containsExactly(other, Digest.parse(manifest));
            WantedLayer unknown = new WantedLayer(layer.chain(), Optional.empty(), PullProof.Purpose.START, 2, "test");
            assertThatThrownBy(() -> fresh.of(unknown)).hasMessageContaining("--containerd");
        }
    }

    /** Stores content that no garbage collection takes; one may come before the label, and takes it then. */
    private static void root(Containerd containerd, Path file, Digest digest, String reference) throws Exception {
        for (int attempt = 1; ; attempt++) {
            containerd.ctrReading(
                    file, "content", "ingest", "--expected-digest", digest.toString(), "forged" + attempt);
            try {
                containerd.ctr("content", "label", digest.toString(), "containerd.io/gc.root=now", reference);
                return;
            } catch (IOException e) {
                if (attempt == 10) {
                    throw e;
                }
            }
        }
    }

    @Test
    void twoContainersUnpackAndRunAtOnce() throws Exception {
        try (SnapshotterServer server = serve(new FakePlans());
                Containerd containerd = Containerd.start(directory.resolve("c"), socket)) {
            containerd.ctr("images", "import", "--no-unpack", image.archive().toString());

            List<String> outputs =
                    atOnce(List.of(() -> run(containerd, "a", "echo one"), () -> run(containerd, "b", "echo two")));

            assertThat(outputs)
                    .satisfiesExactly(
                            a -> assertThat(a).contains("one"),
                            b -> assertThat(b).contains("two"));
            assertThat(server).isNotNull();
        }
    }

    @Test
    void twoContainerdsOnSocketsOfTheirOwnDoNotRemoveEachOthersSnapshots() throws Exception {
        Path second = directory.resolve("s2.sock");
        String[] importing = {
            "images",
            "import",
            "--snapshotter",
            Containerd.SNAPSHOTTER,
            image.archive().toString()
        };
        try (SnapshotterServer server = serve(new FakePlans(), List.of(socket, second));
                Containerd one = Containerd.start(directory.resolve("c1"), socket);
                Containerd other = Containerd.start(directory.resolve("c2"), second)) {
            one.ctr(importing);
            other.ctr(importing);
            // Its garbage collection removes every snapshot that it is shown and does not know.
            one.ctr("images", "remove", "--sync", TestImage.NAME);
            assertThat(one.ctr("snapshots", "--snapshotter", Containerd.SNAPSHOTTER, "list"))
                    .doesNotContain("sha256");
            assertThat(run(other, "kept", "cat /data/größe")).contains("umlaut");
        }
    }

    private SnapshotterServer serve(LazyImages plans) throws Exception {
        return serve(plans, List.of(socket));
    }

    private SnapshotterServer serve(LazyImages plans, List<Path> sockets) throws Exception {
        SnapshotterConfig config = SnapshotterConfig.of(directory.resolve("root"), sockets);
        SnapshotterServer server = new SnapshotterServer(config, plans, StartTracing.NONE);
        server.start();
        return server;
    }

    private static String run(Containerd containerd, String name, String script) throws Exception {
        return containerd.ctr(with(
                RUN,
                TestImage.NAME,
                name,
                "/bin/sh",
                "-c",
                "" + "ls() { busybox ls \"$@\" 2>&1 || true; }; cat() { busybox cat \"$@\"; }; " + script));
    }

    private static String[] with(String[] first, String... more) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    private static List<String> atOnce(List<Callable<String>> calls) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(calls.size())) {
            List<String> answers = new ArrayList<>();
            for (Future<String> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
            return answers;
        }
    }
}

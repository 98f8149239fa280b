package io.faasimage.node.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import containerd.services.snapshots.v1.SnapshotsGrpc;
import containerd.services.snapshots.v1.SnapshotsGrpc.SnapshotsBlockingStub;
import containerd.services.snapshots.v1.SnapshotsOuterClass.PrepareSnapshotRequest;
import containerd.services.snapshots.v1.SnapshotsOuterClass.StatSnapshotRequest;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.linux.MountTable;
import io.faasimage.node.image.ContainerdChannel;
import io.faasimage.node.image.ContentManifests;
import io.faasimage.node.lazy.LazyImages;
import io.faasimage.node.lazy.PullProof;
import io.faasimage.node.lazy.WantedLayer;
import io.faasimage.node.trace.StartTracing;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
                assertThat(new ContentManifests(List.of(channel)).of(layer)).containsExactly(Digest.parse(manifest));
                WantedLayer elsewhere = new WantedLayer(chain, Optional.empty(), PullProof.Purpose.START, 1, "other");
                assertThatThrownBy(() -> new ContentManifests(List.of(channel)).of(elsewhere))
                        .hasMessageContaining("no manifest");
            }
            String forged = "{\"forged\": true}";
            Digest other = Digest.of(forged.getBytes(StandardCharsets.UTF_8));
            Path file = Files.writeString(directory.resolve("forged"), forged);
            root(containerd, file, other, "containerd.io/gc.ref.content.config=" + config.group(1));
            WantedLayer layer =
                    new WantedLayer(image.chains().getFirst(), Optional.empty(), PullProof.Purpose.START, 1, "test");
            ContentManifests fresh = new ContentManifests(List.of(channel));
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
    void removedImagesLeaveNoDirectories() throws Exception {
        try (SnapshotterServer server = serve(new FakePlans());
                Containerd containerd = Containerd.start(directory.resolve("c"), socket)) {
            containerd.ctr(
                    "images",
                    "import",
                    "--snapshotter",
                    Containerd.SNAPSHOTTER,
                    image.archive().toString());
            containerd.ctr("images", "remove", "--sync", TestImage.NAME);

            try (var left = Files.list(directory.resolve("root/snapshots"))) {
                assertThat(left).isEmpty();
            }
            assertThat(server).isNotNull();
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
    void aKillBetweenPrepareAndCommitLosesNothing() throws Exception {
        Path root = directory.resolve("root");
        SnapshotterProcess process = SnapshotterProcess.start(root, socket);
        try (Containerd containerd = Containerd.start(directory.resolve("c"), socket)) {
            String[] snapshots = {"snapshots", "--snapshotter", Containerd.SNAPSHOTTER};
            containerd.ctr(with(snapshots, "prepare", "work"));
            Files.writeString(root.resolve("snapshots/1/fs/file"), "content");
            process.kill();
            process = SnapshotterProcess.start(root, socket);

            containerd.ctrOnceReconnected(with(snapshots, "commit", "layer", "work"));
            process.kill();
            process = SnapshotterProcess.start(root, socket);

            assertThat(containerd.ctrOnceReconnected(with(snapshots, "info", "layer")))
                    .contains("Committed");
            containerd.ctr(
                    "images",
                    "import",
                    "--snapshotter",
                    Containerd.SNAPSHOTTER,
                    image.archive().toString());
            assertThat(run(containerd, "after", "echo runs")).contains("runs");
        } finally {
            process.close();
        }
    }

    @Test
    void aPlannedImageRunsWithoutBeingUnpacked() throws Exception {
        List<ChainId> chains = image.chains();
        try (OverlayPlans plans = new OverlayPlans(Files.createDirectories(directory.resolve("p")))) {
            for (ChainId chain : chains) {
                plans.plan(chain, Map.of("bin/busybox", Files.readAllBytes(TestImage.BUSYBOX)));
                Files.setAttribute(plans.metadata(chain).resolve("bin/busybox"), "unix:mode", 0755);
            }
            try (SnapshotterServer server = serve(plans);
                    Containerd containerd = Containerd.start(directory.resolve("c"), socket)) {
                containerd.ctr(
                        "images", "import", "--no-unpack", image.archive().toString());
                claim(containerd, chains);
                claim(containerd, chains);

                assertThat(containerd.ctr(
                                with(RUN, TestImage.NAME, "planned", "/bin/busybox", "echo", "from the plan")))
                        .contains("from the plan");
                assertThat(plans.claimed).containsAll(chains);
                for (ChainId chain : chains.reversed()) {
                    containerd.ctr("snapshots", "--snapshotter", Containerd.SNAPSHOTTER, "remove", chain.toString());
                }
                containerd.ctr("images", "remove", "--sync", TestImage.NAME);
                assertThat(plans.released).containsExactlyInAnyOrderElementsOf(chains);
                assertThat(server).isNotNull();
            }
        }
    }

    /** The calls of a client that pulls with snapshot labels. */
    private static void claim(Containerd containerd, List<ChainId> chains) throws Exception {
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        ManagedChannel channel = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(containerd.socket()))
                .channelType(NioDomainSocketChannel.class)
                .withOption(ChannelOption.SO_KEEPALIVE, null)
                .eventLoopGroup(loop)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        try {
            Metadata headers = new Metadata();
            headers.put(Metadata.Key.of("containerd-namespace", Metadata.ASCII_STRING_MARSHALLER), "test");
            SnapshotsBlockingStub snapshots = SnapshotsGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
            String parent = "";
            for (ChainId chain : chains) {
                PrepareSnapshotRequest request = PrepareSnapshotRequest.newBuilder()
                        .setSnapshotter(Containerd.SNAPSHOTTER)
                        .setKey("extract-" + System.nanoTime() + " " + chain)
                        .setParent(parent)
                        .putLabels(Snapshot.REF_LABEL, chain.toString())
                        .putLabels("containerd.io/gc.root", "now")
                        .build();
                assertThatThrownBy(() -> snapshots.prepare(request))
                        .isInstanceOfSatisfying(
                                StatusRuntimeException.class,
                                e -> assertThat(e.getStatus().getCode())
                                        .as(e.getMessage())
                                        .isEqualTo(Status.Code.ALREADY_EXISTS));
                assertThat(snapshots
                                .stat(StatSnapshotRequest.newBuilder()
                                        .setSnapshotter(Containerd.SNAPSHOTTER)
                                        .setKey(chain.toString())
                                        .build())
                                .getInfo()
                                .getParent())
                        .isEqualTo(parent);
                parent = chain.toString();
            }
        } finally {
            channel.shutdownNow();
            loop.shutdownGracefully().sync();
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

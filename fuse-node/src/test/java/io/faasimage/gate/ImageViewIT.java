package io.faasimage.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.format.id.Digest;
import io.faasimage.linux.FileStatus;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Root file systems that the gate shows itself, beside those that the kernel mounts. Needs root, /dev/fuse and EROFS.
 */
final class ImageViewIT {
    private static final Path COMPARE = Path.of("../src/test/images/compare.py");

    @TempDir
    Path node;

    private FakeService registry;
    private AwkwardTree tree;
    private Path image;
    private Path view;
    private int overlays;

    @BeforeEach
    void prepare() throws IOException {
        registry = new FakeService();
        tree = new AwkwardTree();
        byte[] bytes = tree.image();
        String hex = Digest.of(bytes).hex();
        image = Files.write(Files.createDirectories(node.resolve("metadata")).resolve(hex + ".erofs"), bytes);
        view = node.resolve("gate-images").resolve(hex);
        tree.contents().values().forEach(registry::add);
    }

    @AfterEach
    void cleanUp() throws IOException {
        registry.close();
        RootFs.unmountAll(node);
    }

    private RunningGate gate() throws IOException {
        return RunningGate.start(
                node,
                registry.address(),
                "--images",
                node.resolve("gate-images").toString(),
                "--fetch-timeout",
                "2s",
                "--attempts",
                "1");
    }

    private void holdEverything() throws IOException {
        try (ObjectStore store = ObjectStore.open(node, "somebody")) {
            for (Map.Entry<Digest, byte[]> object : tree.contents().entrySet()) {
                store.publish(object.getKey(), ByteBuffer.wrap(object.getValue()));
            }
        }
    }

    private Path container(Path lower) throws IOException {
        overlays++;
        Path target = Files.createDirectories(node.resolve("root" + overlays));
        Path upper = Files.createDirectories(node.resolve("upper" + overlays));
        Path work = Files.createDirectories(node.resolve("work" + overlays));
        for (String tool : List.of("chmod", "chown", "touch")) {
            assertThat(output(tool, "--reference", lower.toString(), upper.toString()))
                    .isEmpty();
        }
        Mounts.mount("overlay", target, "overlay", 0, "lowerdir=" + lower + ",upperdir=" + upper + ",workdir=" + work);
        return target;
    }

    private Path mountedByTheKernel() throws IOException {
        Path meta = Files.createDirectories(node.resolve("meta"));
        Mounts.mount(image.toString(), meta, "erofs", Mounts.RDONLY, "");
        Path target = Files.createDirectories(node.resolve("expected"));
        String layers = "lowerdir=" + meta + "::" + node.resolve("objects") + ",metacopy=on,redirect_dir=on";
        Mounts.mount("overlay", target, "overlay", Mounts.RDONLY, layers);
        return target;
    }

    private static String output(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void everyEntryIsAsTheKernelShowsIt() throws Exception {
        holdEverything();
        try (RunningGate gate = gate()) {
            String expected = mountedByTheKernel().toString();
            for (Path shown : List.of(view, container(view))) {
                assertThat(output("python3", COMPARE.toString(), expected, shown.toString()))
                        .matches("compared 7\\d\\d entries\n");
            }
            assertThat(registry.requests()).isZero();
            assertThat(gate.status().images().orElseThrow().mapped()).isEqualTo(1);
            assertThat(gate.status().images().orElseThrow().filesOpen()).isZero();
        }
    }

    @Test
    void namesAreBytesAndHardLinksAreOneFile() throws Exception {
        holdEverything();
        try (RunningGate gate = gate()) {
            Path root = container(view);
            assertThat(output("sh", "-c", "cat " + root + "/raw/*")).isEqualTo("raw bytes");
            for (Path shown : List.of(view, root)) {
                FileStatus first = status(shown.resolve("twin-a"));
                assertThat(first.sameFile(status(shown.resolve("a/b/twin-b")))).isTrue();
                assertThat(first.sameFile(status(shown.resolve("a/b/c")))).isFalse();
                assertThat(first.links()).isEqualTo(2);
            }
            assertThat(gate.log()).doesNotContain("defect");
        }
    }

    private static FileStatus status(Path path) throws IOException {
        return FileStatus.of(path.toString().getBytes(UTF_8), false).orElseThrow();
    }

    @Test
    void devicesAndSetUserIdWork() throws Exception {
        holdEverything();
        try (RunningGate gate = gate()) {
            Path root = container(view);
            Files.writeString(root.resolve("null"), "gone");
            assertThat(root.resolve("null")).hasContent("");
            assertThat(output("setpriv", "--reuid", "65534", "--clear-groups", root + "/id", "-u"))
                    .isEqualTo("0\n");
            assertThat(gate.log()).doesNotContain("defect");
        }
    }

    @Test
    void aContainerWritesOverTheImageAndNotIntoIt() throws Exception {
        holdEverything();
        try (RunningGate gate = gate()) {
            Path root = container(view);
            Files.writeString(root.resolve("a/b/c"), "changed");
            Files.delete(root.resolve("many/entry-5"));
            assertThat(output("chown", "7", root + "/tagged")).isEmpty();
            assertThat(root.resolve("tagged")).hasContent("tagged");
            assertThat(root.resolve("a/b/c")).hasContent("changed");
            assertThat(root.resolve("many/entry-5")).doesNotExist();
            assertThat(view.resolve("a/b/c")).hasContent("deep");
            assertThatIOException()
                    .isThrownBy(() -> Files.writeString(view.resolve("a/new"), "x"))
                    .withMessageContaining("Read-only file system");
            assertThat(gate.log()).doesNotContain("defect");
        }
    }

    @Test
    void aMissIsFetchedOnceAndAFailedOneIsAnErrorUntilItCanBeHad() throws Exception {
        try (RunningGate gate = gate()) {
            Path root = container(view);
            assertThat(root.resolve("large")).hasSize(3_000_001);
            assertThat(registry.requests()).isZero();
            for (int i = 0; i < 2; i++) {
                assertThat(root.resolve("a/b/c")).hasContent("deep");
            }
            assertThat(registry.requests()).isEqualTo(1);
            registry.goDown();
            assertThatIOException()
                    .isThrownBy(() -> Files.readAllBytes(root.resolve("large")))
                    .withMessageContaining("Input/output error");
            assertThat(root.resolve("a/b/c")).hasContent("deep");
            registry.comeBack();
            assertThat(root.resolve("large")).hasSize(3_000_001);
            assertThat(Digest.of(Files.readAllBytes(root.resolve("large"))))
                    .isIn(tree.contents().keySet());
            assertThat(gate.status().fetches().fetched()).isEqualTo(2);
        }
    }

    @Test
    void anImageThatArrivesLaterIsShown() throws Exception {
        Path elsewhere = Files.move(image, node.resolve("elsewhere"));
        try (RunningGate gate = gate()) {
            assertThatIOException().isThrownBy(() -> Files.size(view)).withMessageContaining("Input/output error");
            assertThat(gate.log()).contains("metadata");
            Files.move(elsewhere, image);
            assertThat(view.resolve("a/b")).isDirectory();
            assertThat(node.resolve("gate-images/other")).doesNotExist();
        }
    }

    @Test
    void withTheGateKilledItsViewsAreDeadAndANewGateShowsThemAgain() throws Exception {
        holdEverything();
        Path first;
        try (RunningGate gate = gate()) {
            first = container(view);
            assertThat(first.resolve("a/b/c")).hasContent("deep");
            gate.kill();
        }
        assertThatIOException()
                .isThrownBy(() -> Files.readAllBytes(first.resolve("twin-a")))
                .withMessageContaining("Transport endpoint is not connected");
        try (RunningGate gate = gate()) {
            assertThat(container(view).resolve("a/b/c")).hasContent("deep");
            assertThat(gate.log()).contains("removed the mount of a dead gate from");
            gate.call(GateOperations.STOP);
            assertThat(gate.exitCode()).isZero();
        }
        assertThat(MountTable.read().below(node.resolve("gate-images"))).isEmpty();
    }
}

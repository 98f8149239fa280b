package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** fanotify on real overlays; needs root. */
class FanotifyIT {
    @TempDir
    Path temp;

    private Path overlay;
    private Path lower;

    @BeforeEach
    void mountOverlay() throws IOException {
        Path directory = temp.toRealPath();
        overlay = Files.createDirectory(directory.resolve("overlay"));
        lower = Files.createDirectory(directory.resolve("lower"));
        Files.writeString(lower.resolve("one"), "1");
        Files.writeString(lower.resolve("two"), "2");
        Files.createDirectory(lower.resolve("folder"));
        Path upper = Files.createDirectory(directory.resolve("upper"));
        Path work = Files.createDirectory(directory.resolve("work"));
        Mounts.mount("overlay", overlay, "overlay", 0, "lowerdir=" + lower + ",upperdir=" + upper + ",workdir=" + work);
    }

    @AfterEach
    void unmount() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(temp.toRealPath())) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    private static List<String> names(Fanotify group) throws IOException {
        List<String> names = new ArrayList<>();
        while (true) {
            try (Fanotify.Batch batch = group.read(names.isEmpty() ? 5000 : 0)) {
                if (batch.events().isEmpty()) {
                    return names;
                }
                for (Fanotify.Event event : batch.events()) {
                    String path = event.path()
                            .map(p -> new String(p, StandardCharsets.UTF_8))
                            .orElse("deleted");
                    names.add(path.substring(path.lastIndexOf('/') + 1) + (event.exec() ? "!" : ""));
                }
            }
        }
    }

    @Test
    void opensInAnotherMountNamespaceAreSeen() throws Exception {
        try (Fanotify group = Fanotify.open(false)) {
            group.watch(overlay);
            run(
                    "unshare",
                    "-m",
                    "--propagation",
                    "private",
                    "sh",
                    "-c",
                    "mount --bind " + overlay + " /mnt && stat /mnt/two && ls /mnt/folder && cat /mnt/one");
            assertThat(names(group)).contains("one").doesNotContain("two", "folder");
        }
    }

    @Test
    void executionIsTold() throws Exception {
        Files.copy(Path.of("/bin/true"), lower.resolve("program"), StandardCopyOption.COPY_ATTRIBUTES);
        try (Fanotify group = Fanotify.open(false)) {
            group.watch(overlay);
            run(overlay.resolve("program").toString());
            assertThat(names(group)).contains("program!");
        }
    }

    @Test
    void aDeletedFileHasNoPathAndAFunnyNameIsNotTakenForOne() throws Exception {
        Path funny = Files.writeString(overlay.resolve("x (deleted)"), "y");
        Path gone = Files.writeString(overlay.resolve("gone"), "z");
        try (Fanotify group = Fanotify.open(false)) {
            group.watch(overlay);
            assertThat(Files.readString(funny)).isEqualTo("y");
            assertThat(Files.readString(gone)).isEqualTo("z");
            Files.delete(gone);
            assertThat(names(group)).contains("x (deleted)", "deleted").doesNotContain("gone");
        }
    }

    @Test
    void aFullQueueIsTold() throws Exception {
        int limit = Integer.parseInt(Files.readAllLines(Path.of("/proc/sys/fs/fanotify/max_queued_events"))
                .getFirst());
        try (Fanotify group = Fanotify.open(false)) {
            Path watched = temp.toRealPath().resolve("memory");
            Mounts.mount("none", Files.createDirectory(watched), "tmpfs", 0, "");
            group.watch(watched);
            for (int i = 0; i < limit + 100; i++) {
                Files.createFile(watched.resolve("f" + i));
            }
            assertThat(overflows(group)).isTrue();
        }
    }

    private static boolean overflows(Fanotify group) throws IOException {
        while (true) {
            try (Fanotify.Batch batch = group.read(0)) {
                if (batch.overflow()) {
                    return true;
                }
                if (batch.events().isEmpty()) {
                    return false;
                }
            }
        }
    }

    @Test
    void aThreadEntersANetworkNamespace() throws Exception {
        Process process = new ProcessBuilder("unshare", "-n", "sleep", "60").start();
        try {
            Path own = Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net"));
            Path theirs = Path.of("/proc/" + process.pid() + "/ns/net");
            Wait.until(
                    Duration.ofMinutes(1),
                    "unshare",
                    () -> !Files.readSymbolicLink(theirs).equals(own));
            List<Path> seen = new ArrayList<>();
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    Namespaces.enterNetworkOf(process.pid());
                    seen.add(Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net")));
                } catch (IOException e) {
                    seen.add(Path.of(String.valueOf(e.getMessage())));
                }
            });
            thread.join();
            assertThat(seen).containsExactly(Files.readSymbolicLink(theirs)).doesNotContain(own);
            assertThat(Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net")))
                    .isEqualTo(own);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}

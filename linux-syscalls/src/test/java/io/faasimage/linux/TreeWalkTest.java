package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.linux.TreeWalk.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeWalkTest {
    private static final int DEEP = 5_000;

    @TempDir
    Path directory;

    private final List<String> seen = new ArrayList<>();

    @Test
    void everyEntryIsVisitedAndADirectoryBeforeAndAfterWhatIsInIt() throws IOException {
        Files.createDirectories(directory.resolve("a/b"));
        Files.writeString(directory.resolve("a/b/file"), "x");
        Files.createSymbolicLink(directory.resolve("a/link"), directory);

        TreeWalk.walk(directory, new Recorder());

        assertThat(seen).containsExactly("+a", "a/link", "+a/b", "a/b/file", "-a/b", "-a");
    }

    @Test
    void anyDepthIsWalkedAndDeletedWithFewDescriptors() throws Exception {
        String script =
                "import os\nfor i in range(" + DEEP + "): os.mkdir('d'); os.chdir('d')\nopen('file', 'w').write('x')";
        Process made = new ProcessBuilder("python3", "-c", script)
                .directory(directory.toFile())
                .start();
        assertThat(made.waitFor()).isZero();
        long before = descriptors();
        long[] most = {0};

        TreeWalk.walk(directory, new TreeWalk.Visitor() {
            @Override
            public void file(Entry file) throws IOException {
                most[0] = descriptors();
                assertThat(file.parents()).hasSize(DEEP);
                file.directory().unlink(file.name().bytes());
            }

            @Override
            public void leave(Entry left) throws IOException {
                left.directory().removeDirectory(left.name().bytes());
            }
        });

        assertThat(directory).isEmptyDirectory();
        assertThat(most[0] - before).isLessThan(10);
        assertThat(descriptors()).isLessThanOrEqualTo(before);
    }

    @Test
    void aDirectoryThatIsMovedAwayMeanwhileIsNotFollowed() throws IOException {
        Path tree = Files.createDirectories(directory.resolve("tree"));
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.writeString(outside.resolve("not of the tree"), "");
        Files.createDirectories(tree.resolve("a/b/c"));
        Files.writeString(tree.resolve("a/b/c/file"), "");
        Files.createDirectories(tree.resolve("z"));

        TreeWalk.walk(tree, new Recorder() {
            @Override
            public void file(Entry file) throws IOException {
                super.file(file);
                Files.move(tree.resolve("a/b"), outside.resolve("b"));
            }
        });

        assertThat(seen).contains("a/b/c/file", "-a/b/c", "-a", "+z", "-z").doesNotContain("-a/b");
        assertThat(seen).noneMatch(entry -> entry.contains("not of the tree"));
    }

    @Test
    void namesThatAreNoTextAreKept() throws Exception {
        byte[] name = {'x', (byte) 0xff};
        Process made = new ProcessBuilder("sh", "-c", ": >\"$(printf 'x\\377')\"")
                .directory(directory.toFile())
                .start();
        assertThat(made.waitFor()).isZero();
        TreeWalk.walk(directory, file -> {
            assertThat(file.name().bytes()).isEqualTo(name);
            file.directory().unlink(file.name().bytes());
        });
        assertThat(directory).isEmptyDirectory();
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private class Recorder implements TreeWalk.Visitor {
        @Override
        public void file(Entry file) throws IOException {
            seen.add(file.toString());
        }

        @Override
        public void enter(Entry entered) {
            seen.add("+" + entered);
        }

        @Override
        public void leave(Entry left) {
            seen.add("-" + left);
        }
    }
}

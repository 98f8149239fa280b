package io.faasimage.builder.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trees as an installation may leave them. */
class FileTreeTest {
    @TempDir
    private Path work;

    /** Nests directories as a program does that changes into each. */
    private Path nested(String name, int depth, int letters) throws IOException, InterruptedException {
        Path top = Files.createDirectory(work.resolve(name));
        Process shell = new ProcessBuilder(
                        "sh",
                        "-euc",
                        "n=$(printf '%0" + letters + "d' 0); i=0; while [ $i -lt " + depth
                                + " ]; do echo x > file; ln -s /etc link; mkdir $n; cd -P ./$n; i=$((i + 1)); done")
                .directory(top.toFile())
                .inheritIO()
                .start();
        assertThat(shell.waitFor()).isZero();
        return top;
    }

    @Test
    void pathsLongerThanLinuxTakesAreRemoved() throws IOException, InterruptedException {
        Path top = nested("long", 40, 200);
        FileTree.remove(top);
        assertThat(top).doesNotExist();
        assertThat(Path.of("/etc/passwd")).exists();
        FileTree.remove(top);
    }

    @Test
    void whatIsNestedDeepIsRemovedWithFewDescriptors() throws IOException, InterruptedException {
        Path top = nested("deep", 300, 3);
        FileTree.remove(top);
        assertThat(top).doesNotExist();
    }

    @Test
    void aTreeThatCannotBeRemovedKeepsNoOther() throws IOException {
        Path first = Files.createDirectory(work.resolve("first"));
        Path second = Files.createDirectory(work.resolve("second"));
        assertThatThrownBy(() -> FileTree.removeAll(List.of(first, second), tree -> {
                    if (tree.equals(first)) {
                        throw new IOException("busy");
                    }
                    FileTree.remove(tree);
                }))
                .hasMessage("busy");
        assertThat(second).doesNotExist();
    }
}

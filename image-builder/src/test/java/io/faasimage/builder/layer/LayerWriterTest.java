package io.faasimage.builder.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of layers. */
class LayerWriterTest {
    @TempDir
    private Path work;

    private Path tree(String name, List<String> order, long time, String mode) throws IOException {
        Path top = Files.createDirectories(work.resolve(name));
        for (String file : order) {
            Path place = top.resolve(file);
            Files.createDirectories(place.getParent());
            Files.writeString(place, "content of " + file);
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(mode));
            Files.setLastModifiedTime(place, FileTime.fromMillis(time));
        }
        Files.createSymbolicLink(top.resolve("link"), Path.of("b/x"));
        return top;
    }

    private LayerFile layer(Path tree, Path... without) throws IOException {
        try (LayerWriter writer = new LayerWriter(Files.createTempFile(work, "layer", ""))) {
            return writer.tree("/home/app/function", tree, List.of(without)).finish();
        }
    }

    @Test
    void namesAndContentsAloneMakeTheBytes() throws IOException {
        LayerFile one = layer(tree("one", List.of("a", "b/x", "b/ü"), 1_000_000, "rw-r--r--"));
        LayerFile two = layer(tree("two", List.of("b/ü", "b/x", "a"), 9_000_000, "rw-rw----"));
        assertThat(two.digest()).isEqualTo(one.digest());
        assertThat(two.diffId()).isEqualTo(one.diffId());
        assertThat(one.diffId())
                .as("golden: a change of it gives every image a new digest")
                .hasToString("sha256:bed3203dfd2c304bb796b434384f5c937858c8ba754595ab7052b911d5e4907c");
        LayerFile executable = layer(tree("three", List.of("a", "b/x", "b/ü"), 1_000_000, "rwxr-xr-x"));
        assertThat(executable.diffId()).isNotEqualTo(one.diffId());
    }

    @Test
    void anEmptyDirectoryIsAnEmptyLayerAndWhatIsLeftOutIsNotThere() throws IOException {
        assertThat(layer(Files.createDirectory(work.resolve("empty"))).isEmpty())
                .isTrue();
        Path tree = tree("with", List.of("a", "wheels/w", "b/x"), 0, "rw-r--r--");
        Path same = tree("same", List.of("a", "b/x"), 0, "rw-r--r--");
        assertThat(layer(tree, tree.resolve("wheels")).digest())
                .isEqualTo(layer(same).digest());
    }
}

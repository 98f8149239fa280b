package io.faasimage.node.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FastMetadataTest {
    @TempDir
    private Path directory;

    private final Events events = new Events(10, InstantSource.system());

    private FastMetadata copies(boolean clean) throws IOException {
        return new FastMetadata(directory.resolve("fast"), 250, clean, events);
    }

    private Path image(String name) throws IOException {
        return Files.write(directory.resolve(name), new byte[100]);
    }

    @Test
    void anImageIsCopiedOnce() throws IOException {
        FastMetadata copies = copies(false);
        Path image = image("a.erofs");
        Path copy = copies.of(image);
        assertThat(copy).isEqualTo(directory.resolve("fast/a.erofs")).hasSameBinaryContentAs(image);
        Files.delete(image);
        assertThat(copies.of(image)).isEqualTo(copy);
        copies.remove(image);
        assertThat(copy).doesNotExist();
    }

    @Test
    void theOldestGivesWay() throws IOException {
        FastMetadata copies = copies(false);
        Path first = copies.of(image("a"));
        Files.setLastModifiedTime(first, FileTime.fromMillis(1));
        Path second = copies.of(image("b"));
        Path third = copies.of(image("c"));
        assertThat(first).doesNotExist();
        assertThat(second).exists();
        assertThat(third).exists();
        Path large = Files.write(directory.resolve("large"), new byte[300]);
        assertThat(copies.of(large)).isEqualTo(large);
    }

    @Test
    void copiesOfAnEarlierBootAreMadeAnew() throws IOException {
        Path copy = copies(false).of(image("a"));
        copies(false);
        assertThat(copy).exists();
        copies(true);
        assertThat(copy).doesNotExist();
    }

    @Test
    void withoutTheTierTheImageItselfIsMounted() throws IOException {
        FastMetadata copies = copies(false);
        Files.delete(directory.resolve("fast"));
        Path image = image("a");
        assertThat(copies.of(image)).isEqualTo(image);
    }
}

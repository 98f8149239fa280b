package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageCacheTest {
    @TempDir
    Path temp;

    @Test
    void whatWasJustWrittenIsInMemoryToTheLastByte() throws Exception {
        int page = PageCache.pageBytes();
        Path file = Files.write(temp.resolve("file"), new byte[5 * page + 1]);
        assertThat(PageCache.resident(file).stream()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(PageCache.resident(Files.createFile(temp.resolve("empty")))).isEqualTo(new BitSet());
    }

    @Test
    void whatIsOnTheDiskIsDropped() throws Exception {
        Path file = Files.write(temp.resolve("file"), new byte[100_000]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(false);
        }
        PageCache.drop(file);
        assertThat(PageCache.resident(file).isEmpty()).isTrue();
    }
}

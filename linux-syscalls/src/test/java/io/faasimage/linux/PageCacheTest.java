package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
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
}

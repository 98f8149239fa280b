package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.testing.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class PageCacheIT {
    private static final int PAGE = 4096;

    @TempDir
    private Path directory;

    @Test
    @Timeout(30)
    void aFileIsReadAhead() throws Exception {
        Path file = Files.write(directory.resolve("object"), new byte[100 * PAGE]);
        FileSystems.syncfs(directory);
        assertThat(PageCache.cachedPages(file)).isEqualTo(100);
        drop(file);
        assertThat(PageCache.cachedPages(file)).isZero();
        PageCache.readAhead(file);
        Wait.until(Duration.ofMinutes(1), "all pages", () -> PageCache.cachedPages(file) == 100);
    }

    /** The kernel reads only the beginning of what it is asked for with one call. */
    @Test
    @Timeout(90)
    void largeFilesAndRangesAreReadAheadWhole() throws Exception {
        int pages = 16 << 20 >> 12;
        Path file = Files.write(directory.resolve("large"), new byte[pages * PAGE]);
        FileSystems.syncfs(directory);
        drop(file);
        assertThat(PageCache.cachedPages(file)).isZero();
        PageCache.readAhead(file, List.of(new long[] {0, (long) pages * PAGE}));
        Wait.until(Duration.ofSeconds(30), "all pages", () -> PageCache.cachedPages(file) == pages);
        drop(file);
        PageCache.readAhead(file);
        Wait.until(Duration.ofSeconds(30), "all pages", () -> PageCache.cachedPages(file) == pages);
    }

    @Test
    void aMissingFileIsAnError() {
        assertThatThrownBy(() -> PageCache.readAhead(directory.resolve("absent")))
                .isInstanceOf(LinuxException.class)
                .hasMessageContaining("absent");
    }

    /** As memory pressure does, for one file. */
    private static void drop(Path file) throws Exception {
        assertThat(new ProcessBuilder(
                                "dd", "of=" + file, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none")
                        .start()
                        .waitFor())
                .isZero();
    }
}

package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.testing.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

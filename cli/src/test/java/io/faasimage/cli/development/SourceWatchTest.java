package io.faasimage.cli.development;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class SourceWatchTest {
    @TempDir
    private Path directory;

    private static CompletableFuture<Long> change(SourceWatch watch) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return watch.await();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void changesAreNoticedInFilesAndInNewDirectories() throws Exception {
        Path handler = Files.writeString(directory.resolve("handler.py"), "one");
        try (SourceWatch watch = SourceWatch.of(directory)) {
            CompletableFuture<Long> changed = change(watch);
            long before = System.nanoTime();
            Files.writeString(handler, "three");
            assertThat(changed.get() - before).isPositive();

            CompletableFuture<Long> created = change(watch);
            Files.writeString(Files.createDirectories(directory.resolve("a/b")).resolve("c.py"), "c");
            created.get();

            CompletableFuture<Long> deep = change(watch);
            Files.writeString(directory.resolve("a/b/c.py"), "changed");
            deep.get();

            CompletableFuture<Long> removed = change(watch);
            Files.delete(handler);
            removed.get();
        }
    }

    @Test
    void whatIsNoPartOfTheFunctionIsNoChange() throws Exception {
        Path cache = Files.createDirectories(directory.resolve("__pycache__"));
        Path handler = Files.writeString(directory.resolve("handler.py"), "one");
        try (SourceWatch watch = SourceWatch.of(directory)) {
            CompletableFuture<Long> changed = change(watch);
            Files.writeString(cache.resolve("handler.pyc"), "compiled");
            Files.createDirectories(directory.resolve(".git"));
            Files.setLastModifiedTime(handler, Files.getLastModifiedTime(handler));
            assertThatThrownBy(() -> changed.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            Files.writeString(handler, "two and more");
            changed.get();
        }
    }

    @Test
    void aFileIsNoDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("handler.py"), "");
        assertThatThrownBy(() -> SourceWatch.of(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("directory");
    }
}

package io.faasimage.node.plans.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** Eviction in a heap that is too small for an entry for each object. */
final class LargeStoreTest {
    private static final String OBJECTS = "100000";

    @TempDir(factory = InMemory.class)
    private Path directory;

    /** Many files are made and removed in a moment there. */
    private static final class InMemory implements TempDirFactory {
        private static final Path SHARED_MEMORY = Path.of("/dev/shm");

        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext test) throws IOException {
            return Files.isWritable(SHARED_MEMORY)
                    ? Files.createTempDirectory(SHARED_MEMORY, "faasimage-test")
                    : Files.createTempDirectory("faasimage-test");
        }
    }

    @Test
    void memoryDoesNotGrowWithTheStore() throws Exception {
        assertThat(run("-Xmx64m", "make")).contains("make");
        assertThat(run("-Xmx14m", "evict")).contains("chose 10000 of " + OBJECTS);
    }

    private String run(String heap, String action) throws IOException, InterruptedException {
        Path log = directory.resolve("log");
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        heap,
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeStore.class.getName(),
                        action,
                        directory.resolve("store").toString(),
                        OBJECTS,
                        "20"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
        }
        return Files.readString(log);
    }
}

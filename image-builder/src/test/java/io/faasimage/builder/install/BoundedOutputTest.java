package io.faasimage.builder.install;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept of long outputs. */
class BoundedOutputTest {
    private static String pumped(String text, int limit) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BoundedOutput.pump(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), out, limit);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aShortOneIsKeptAsItIs() throws IOException {
        assertThat(pumped("collecting\nERROR: no such thing\n", 100)).isEqualTo("collecting\nERROR: no such thing\n");
    }

    @Test
    void theLastLinesAreShownAndOfLongOnesTheEnd(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("output");
        Files.writeString(file, "first\nsecond\nthird\n");
        assertThat(BoundedOutput.tail(file, 2)).isEqualTo("second\nthird");
        Files.writeString(file, "x".repeat(1_000_000) + " the reason\n");
        assertThat(BoundedOutput.tail(file, 2)).endsWith("x the reason").hasSizeLessThan(10_000);
    }

    @Test
    void ofALongOneTheBeginningAndTheEndAreKept() throws IOException {
        String long1 = "first\n" + "x".repeat(1_000_000) + "\nERROR: the reason\n";
        assertThat(pumped(long1, 100))
                .startsWith("first\nxxx")
                .endsWith("\nERROR: the reason\n")
                .hasSizeLessThan(80_000);
    }
}

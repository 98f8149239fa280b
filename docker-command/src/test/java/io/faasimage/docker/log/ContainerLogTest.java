package io.faasimage.docker.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs in Docker's json-file format: what is written, and what is read of it. */
final class ContainerLogTest {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.5Z");
    private static final long LARGE = 1 << 20;

    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("x-json.log");
    }

    private void print(Instant time, long limit, String stream, byte[] output) throws IOException {
        try (LogFile log = LogFile.open(file(), Clock.fixed(time, ZoneOffset.UTC), limit)) {
            new LogPump(stream, log).pump(new ByteArrayInputStream(output));
        }
    }

    private List<LogEntry> read(Optional<Instant> since, Optional<Instant> until) throws IOException {
        List<LogEntry> entries = new ArrayList<>();
        LogReader.read(file(), since, until, entries::add);
        return entries;
    }

    private List<String> texts() throws IOException {
        return read(Optional.empty(), Optional.empty()).stream()
                .map(LogEntry::text)
                .toList();
    }

    @Test
    void aLineIsAsDockerWritesIt() throws IOException {
        print(NOON, LARGE, "stdout", "say \"hi\"\n".getBytes(StandardCharsets.UTF_8));
        assertThat(file())
                .hasContent(
                        "{\"log\":\"say \\\"hi\\\"\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-31T12:00:00.500000000Z\"}\n");
    }

    @Test
    void longAndUnfinishedLinesAndOddBytesAreKept() throws IOException {
        byte[] output = new byte[LogPump.LONGEST_ENTRY + 10];
        java.util.Arrays.fill(output, (byte) 'a');
        output[output.length - 1] = (byte) 0xff;
        print(NOON, LARGE, "stderr", output);
        assertThat(texts()).containsExactly("a".repeat(LogPump.LONGEST_ENTRY), "a".repeat(9) + "\ufffd");
    }

    @Test
    void onlyTheTimeThatIsAskedForIsRead() throws IOException {
        for (int second = 0; second < 4; second++) {
            print(NOON.plusSeconds(second), LARGE, "stdout", (second + "\n").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(read(Optional.of(NOON.plusSeconds(1)), Optional.of(NOON.plusSeconds(2))))
                .extracting(LogEntry::text)
                .containsExactly("1\n", "2\n");
        assertThat(read(Optional.of(NOON.plusSeconds(4)), Optional.empty())).isEmpty();
    }

    @Test
    void aLineThatWasCutByAKilledWriterIsLeftOut() throws IOException {
        print(NOON, LARGE, "stdout", "whole\n".getBytes(StandardCharsets.UTF_8));
        Files.writeString(file(), "{\"log\":\"cu", StandardOpenOption.APPEND);
        assertThat(texts()).containsExactly("whole\n");
        print(NOON, LARGE, "stdout", "next\n".getBytes(StandardCharsets.UTF_8));
        assertThat(texts()).containsExactly("whole\n", "next\n");
        assertThat(Files.readString(file())).doesNotContain("cu");
    }

    @Test
    void aLogHasALimitAndSaysSo() throws IOException {
        print(NOON, 300, "stdout", "0123456789\n".repeat(100).getBytes(StandardCharsets.UTF_8));
        assertThat(texts()).hasSizeLessThan(10).last().asString().contains("reached its limit of 300 bytes");
    }

    @Test
    void aContainerThatNeverStartedHasPrintedNothing() throws IOException {
        assertThat(texts()).isEmpty();
    }
}

package io.faasimage.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProcessUsageTest {
    @TempDir
    private Path directory;

    @Test
    void readsThisProcess() throws Exception {
        Path file = Files.writeString(
                directory.resolve("pid"), ProcessHandle.current().pid() + " 12345\n");
        ProcessUsage usage = ProcessUsage.of(file);
        assertThat(usage.cpuSeconds()).isGreaterThan(0.05);
        assertThat(usage.peakBytes()).isGreaterThanOrEqualTo(usage.residentBytes());
        assertThat(usage.residentBytes()).isGreaterThan(1_000_000L);
    }

    @Test
    void aNameMayHaveSpacesAndParentheses() {
        assertThat(ProcessUsage.cpuSeconds("7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 150 50 0 0 20 0 9 0 1 2"))
                .isEqualTo(2.0);
    }

    @Test
    void aMissingFieldIsAnError() {
        assertThatThrownBy(() -> ProcessUsage.bytes(List.of("Name: x"), "VmHWM:"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("VmHWM");
    }
}

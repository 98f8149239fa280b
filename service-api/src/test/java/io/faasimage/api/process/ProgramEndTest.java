package io.faasimage.api.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProgramEndTest {
    private static final Duration SECONDS = Duration.ofSeconds(50);

    private static ProgramEnd run(String script, String input, Duration limit) throws IOException {
        Process process = new ProcessBuilder("sh", "-c", script).start();
        return ProgramEnd.await("the script", process, input.getBytes(StandardCharsets.UTF_8), limit);
    }

    @Test
    void inputOutputErrorsAndExitCodeArePassed() throws IOException {
        assertThat(run("cat; echo bad >&2; exit 7", "good", SECONDS)).isEqualTo(new ProgramEnd(7, "good", "bad\n"));
    }

    @Test
    void aProgramNeedNotReadItsInput() throws IOException {
        assertThat(run("echo done", "x".repeat(1 << 20), SECONDS).output()).isEqualTo("done\n");
    }

    @Test
    void theEndOfALongOutputIsKept() throws IOException {
        ProgramEnd end = run("yes nothing | head -c 10000000; echo; echo last; yes | head -c 200000 >&2", "", SECONDS);
        assertThat(end.output()).hasSize(1 << 16).endsWith("\nlast\n");
        assertThat(end.errors()).hasSize(1 << 16);
        assertThat(end.exit()).isZero();
    }

    @Test
    void aLateProgramIsKilledWithItsChildren() {
        String child = "600." + System.nanoTime();
        assertThatThrownBy(() -> run("sleep " + child + "; sleep " + child, "", Duration.ofSeconds(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("the script did not end within 1 s");
        List<ProcessHandle> left = ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith(child))
                .toList();
        for (ProcessHandle process : left) {
            assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(5));
        }
    }

    @Test
    void anInterruptKillsItToo() throws IOException {
        Process process = new ProcessBuilder("sleep", "600").start();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> ProgramEnd.await("it", process, new byte[0], SECONDS))
                .isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(5));
    }
}

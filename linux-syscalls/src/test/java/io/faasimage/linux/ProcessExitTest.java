package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessExitTest {
    @Test
    void theEndOfAProcessThatIsNoChildIsSeenAtOnce() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!").start();
        ProcessHandle process =
                ProcessHandle.of(Long.parseLong(shell.inputReader().readLine())).orElseThrow();
        shell.waitFor();
        CompletableFuture<ProcessHandle> exit = ProcessExit.of(process);
        CompletableFuture<Void> later = CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
        assertThat(exit).isNotDone();
        later.join();
        assertThat(exit.get(250, TimeUnit.MILLISECONDS)).isEqualTo(process);
    }

    @Test
    void aProcessThatHasEndedHasEnded() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertThat(ProcessExit.of(process.toHandle()).get(1, TimeUnit.SECONDS)).isEqualTo(process.toHandle());
    }
}

package io.faasimage.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class PortsTest {
    /** With so many of the 12,000 ports drawn at random, some would be alike in nearly every run. */
    private static final int DRAWN = 400;

    @Test
    void noPortIsGivenTwice() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader lines = other.inputReader()) {
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < DRAWN; i++) {
                ports.add(Integer.valueOf(lines.readLine()));
            }
            for (int i = 0; i < DRAWN; i++) {
                ports.add(Ports.free());
            }
            assertThat(ports).hasSize(2 * DRAWN);
            other.getOutputStream().close();
            assertThat(other.waitFor(10, TimeUnit.SECONDS)).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }

    /** Another process that runs tests: prints its ports and keeps them until its standard input ends. */
    static final class OtherProcess {
        private OtherProcess() {}

        static void main() throws IOException {
            for (int i = 0; i < DRAWN; i++) {
                System.out.println(Ports.free());
            }
            System.in.transferTo(System.out);
        }
    }
}

package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Descriptors of {@code /dev/fuse} that another process opened; needs root. */
class FuseConnectionIT {
    private static final int DESCRIPTOR = 9;

    /** A process in a mount namespace of its own that has {@code file} open. */
    private static Process opened(String file) throws IOException {
        Process process = new ProcessBuilder(
                        "unshare", "--mount", "bash", "-c", "exec 9<>" + file + " && echo opened && read -r")
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("opened");
        return process;
    }

    @Test
    void aConnectionIsTakenOverWhenTheNamespaceInWhichItWasOpenedIsGone() throws Exception {
        Process process = opened("/dev/fuse");
        try (FuseConnection connection = FuseConnection.of(process.pid(), DESCRIPTOR)) {
            assertThat(process.destroyForcibly().waitFor()).isNotZero();
            try (FuseConnection next = FuseConnection.of(ProcessHandle.current().pid(), connection.descriptor())) {
                assertThat(next.descriptor()).isNotEqualTo(connection.descriptor());
            }
        }
    }

    @Test
    void anotherDeviceIsNoConnection() throws Exception {
        Process process = opened("/dev/zero");
        try {
            assertThatIOException()
                    .isThrownBy(() -> FuseConnection.of(process.pid(), DESCRIPTOR))
                    .withMessageContaining("is no FUSE connection");
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}

package io.faasimage.refactor.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Registries that never come to a blob's first byte. */
@Timeout(30)
class SilentStartTest {
    @Test
    void whatReadsTheSocketOfAVirtualThreadEnds() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            FutureTask<IOException> pull = new FutureTask<>(() -> {
                SilentStart start = new SilentStart(new ByteArrayOutputStream(), "layer x", Duration.ofMillis(50));
                try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    int read = socket.getInputStream().read();
                    throw new AssertionError("read " + read);
                } catch (IOException e) {
                    return start.failure(e);
                } finally {
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                }
            });
            Thread.ofVirtual().start(pull);
            assertThat(pull.get())
                    .isInstanceOfSatisfying(
                            RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.SLOW))
                    .hasMessageContaining("nothing of layer x");
        }
    }

    @Test
    void afterTheFirstByteAFailureIsWhatItIs() throws Exception {
        SilentStart start = new SilentStart(new ByteArrayOutputStream(), "layer x", Duration.ofHours(1));
        start.write(1);
        IOException broken = new IOException("broken");
        assertThat(start.failure(broken)).isSameAs(broken);
    }
}

package io.faasimage.node.image;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.faasimage.format.id.ImageReference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class OciRegistryTest {
    @TempDir
    private Path directory;

    @Test
    @Timeout(60)
    void aBodyThatDoesNotComeIsGivenUp() throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 1000);
            exchange.getResponseBody().write('{');
            exchange.getResponseBody().flush();
            try {
                done.await(50, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        RegistryCredentials none = new RegistryCredentials(directory.resolve("none"));
        try (OciRegistry registry =
                new OciRegistry(none, new RegistryHttp(Set.of(), Optional.empty(), Duration.ofMillis(300)))) {
            ImageReference image =
                    ImageReference.parse("127.0.0.1:" + server.getAddress().getPort() + "/a/b:c");
            assertThatThrownBy(() -> registry.resolve(image))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("nothing arrived for 300 ms");
        } finally {
            done.countDown();
            server.stop(0);
        }
    }
}

package io.faasimage.registry;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of this machine for processes that tests start. */
final class Ports {
    private Ports() {}

    /** One that nobody else is given while its process starts, or is away: below those that the kernel chooses. */
    static int free() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port)) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Taken: the next one.
            }
        }
        throw new IOException("no free port between 20000 and 32000");
    }
}

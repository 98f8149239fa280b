package io.faasimage.bench;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of this machine for what tests measure. */
public final class Ports {
    private Ports() {}

    /** One that nobody else is given while nothing serves it: below those that the kernel chooses. */
    public static int free() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // Taken: the next one.
            }
        }
        throw new IOException("no free port between 20000 and 32000");
    }
}

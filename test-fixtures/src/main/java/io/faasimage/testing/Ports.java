package io.faasimage.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of this machine for the processes of a test. */
public final class Ports {
    /** How many processes that run tests can have ports of their own. */
    private static final int FORKS = 8;

    /** Which of them this is; a port stays its own while nobody listens there, as a killed service's port. */
    private static final int FORK = Integer.getInteger("faasimage.test.fork", 0) % FORKS;

    /** Ports that are in use or may be again, whether or not their processes listen at this moment. */
    private static final Set<Integer> GIVEN = new HashSet<>();

    private Ports() {}

    /**
     * A free port below the ephemeral range: a connection attempt to a port within it, while nobody listens, can be
     * given that very port as its source and so connect to itself. Never the same port twice in one process: the first
     * owner may not listen yet, and the second would take its server for its own.
     */
    public static synchronized int free() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = FORK + FORKS * ThreadLocalRandom.current().nextInt(20_000 / FORKS, 32_000 / FORKS);
            if (GIVEN.contains(port)) {
                continue;
            }
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                GIVEN.add(port);
                return socket.getLocalPort();
            } catch (BindException e) {
                // Taken: the next one.
            }
        }
        throw new IOException("no free port between 20000 and 32000");
    }

    /** Whether a process listens at a port of the loopback address. */
    public static boolean listens(int port) {
        return listens("127.0.0.1:" + port);
    }

    /** Whether a process listens at {@code address:port}. */
    public static boolean listens(String address) {
        int colon = address.lastIndexOf(':');
        try (Socket socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))),
                    200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

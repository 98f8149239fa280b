package io.faasimage.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/** Ports of this machine for the processes of a test. */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;

    private Ports() {}

    /**
     * A free port below the ephemeral range: a connection attempt to a port within it, while nobody listens, can be
     * given that very port as its source and so connect to itself. It stays the calling process's own until that ends,
     * whether or not somebody listens there: the first owner may not listen yet, or may be killed and started again,
     * and a second one would take its server for its own. Other test processes of the same user see that by a lock.
     */
    public static int free() throws IOException {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (isLocked(port)) {
                try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                    return socket.getLocalPort();
                } catch (BindException e) {
                    // Taken by a program that does not lock: the next one.
                }
            }
        }
        throw new IOException("no free port between " + FIRST + " and " + END);
    }

    /** Locks a port for this process; false when one has it already, this one included. */
    private static boolean isLocked(int port) throws IOException {
        try {
            return Locks.FILE.tryLock(port, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    /** The file whose bytes are the ports. Closing it would release all locks of this process (fcntl(2)). */
    private static final class Locks {
        static final FileChannel FILE = open();

        private static FileChannel open() {
            String name = "faasimage-test-ports." + System.getProperty("user.name");
            try {
                return FileChannel.open(
                        Path.of(System.getProperty("java.io.tmpdir"), name),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
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

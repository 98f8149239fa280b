package io.faasimage.node.starts.trace;

import io.faasimage.api.image.Readiness;
import io.faasimage.linux.Namespaces;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP probe that repeats until a function is ready, from inside its network namespace. Runs on a platform thread of
 * its own, which moves into that namespace and ends there.
 */
final class ReadinessProbe implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ReadinessProbe.class.getName());
    private static final int CONNECT_MILLIS = 1000;
    private static final int ANSWER_MILLIS = 5000;
    private static final Duration INTERVAL = Duration.ofMillis(50);
    private static final int STATUS_LINE_BYTES = 64;
    private static final int REST_BYTES = 64 * 1024;

    private final Readiness readiness;
    private final Supplier<OptionalInt> process;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile long readyNanos;
    private volatile boolean ready;
    private @Nullable Path namespace;

    /**
     * @param process finds a live process of the container; called by the probe's thread
     */
    ReadinessProbe(Readiness readiness, Supplier<OptionalInt> process) {
        this.readiness = readiness;
        this.process = process;
    }

    void start() {
        Thread.ofPlatform().daemon().name("readiness-" + readiness.port()).start(this::run);
    }

    /** When the function was found ready, by {@link System#nanoTime}. */
    OptionalLong readySince() {
        return ready ? OptionalLong.of(readyNanos) : OptionalLong.empty();
    }

    private void run() {
        try {
            namespace = Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net"));
            while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                OptionalInt pid = process.get();
                if (pid.isPresent() && isReady(pid.getAsInt())) {
                    readyNanos = System.nanoTime();
                    ready = true;
                    return;
                }
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot probe readiness without /proc: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isReady(int pid) {
        try {
            Path current = Files.readSymbolicLink(Path.of("/proc/" + pid + "/ns/net"));
            if (!current.equals(namespace)) {
                Namespaces.enterNetworkOf(pid);
                namespace = current;
            }
            return get();
        } catch (IOException e) {
            return false; // not listening yet, or the process has ended: ask again
        }
    }

    /** Whether GET is answered with a status of 200 to 299. The socket belongs to the namespace of this thread. */
    private boolean get() throws IOException {
        try (Socket socket = new Socket(Proxy.NO_PROXY)) {
            InetAddress loopback = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 1});
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.connect(new InetSocketAddress(loopback, readiness.port()), CONNECT_MILLIS);
            String request = "GET " + readiness.path() + " HTTP/1.1\r\nHost: localhost:" + readiness.port()
                    + "\r\nUser-Agent: faasimage\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            InputStream in = socket.getInputStream();
            String start = new String(in.readNBytes(STATUS_LINE_BYTES), StandardCharsets.ISO_8859_1);
            in.readNBytes(REST_BYTES);
            return start.matches("(?s)HTTP/1\\.[01] 2\\d\\d[ \r].*");
        }
    }

    /** Ends the probe; a request that is under way ends by its own time limit. */
    @Override
    public void close() {
        closed.countDown();
    }
}

package io.faasimage.bench.measure;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * An HTTP probe of a loopback port, every 2 ms until it answers 200 with the expected content. A plain socket, so that
 * the probe itself costs next to nothing beside the measured start.
 */
public final class HttpProbe {
    private static final Duration INTERVAL = Duration.ofMillis(2);
    private static final int MAX_LINE = 256;
    private static final int MAX_BODY = 1 << 20;
    private static final int SHOWN_BODY = 300;
    private static final String RIGHT = "the right answer";
    private static final String WRONG = "a 200 without";

    private final InetSocketAddress address;
    private final byte[] request;
    private final String expected;

    /**
     * A probe of {@code path}.
     *
     * @param port TCP port on the loopback address
     * @param expected text that the answer must contain; any answer when empty
     */
    public HttpProbe(int port, String path, String expected) {
        this.expected = expected;
        address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        request = "GET %s HTTP/1.0\r\nHost: localhost\r\n\r\n".formatted(path).getBytes(StandardCharsets.US_ASCII);
    }

    /** Whether anything accepts connections at the port. */
    public boolean isTaken() {
        try (Socket socket = new Socket()) {
            socket.connect(address, 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Waits for the first 200 with the expected content.
     *
     * @return {@link System#nanoTime} when the whole answer was there
     * @throws IOException when none came in time; the message has the last answer
     */
    public long awaitAnswer(Duration limit) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        String last = "nothing";
        while (System.nanoTime() < deadline) {
            int left = (int)
                    Math.max(1, Duration.ofNanos(deadline - System.nanoTime()).toMillis());
            try {
                last = ask(left);
                if (last.equals(RIGHT)) {
                    return System.nanoTime();
                }
                if (last.startsWith(WRONG)) {
                    break;
                }
            } catch (SocketTimeoutException e) {
                // The end of the time cuts the last attempt short; an earlier answer says more.
                last = last.startsWith("HTTP/") ? last : "a connection without an answer";
            } catch (IOException e) {
                last = String.valueOf(e.getMessage());
            }
            Thread.sleep(INTERVAL);
        }
        throw new IOException("not the answer wanted from port %d within %d s, the last attempt got: %s"
                .formatted(address.getPort(), limit.toSeconds(), last));
    }

    private String ask(int timeoutMillis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(timeoutMillis);
            socket.connect(address, timeoutMillis);
            socket.getOutputStream().write(request);
            InputStream in = socket.getInputStream();
            String status = statusLine(in);
            String body = new String(in.readNBytes(MAX_BODY), StandardCharsets.UTF_8);
            in.skip(Long.MAX_VALUE);
            if (!status.matches("HTTP/1\\.[01] 200( .*)?")) {
                return status;
            }
            int shown = Math.min(body.length(), SHOWN_BODY);
            return body.contains(expected) ? RIGHT : WRONG + " '" + expected + "' in: " + body.substring(0, shown);
        }
    }

    private static String statusLine(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b >= 0 && b != '\r' && b != '\n' && line.length() < MAX_LINE; b = in.read()) {
            line.append((char) b);
        }
        return line.toString();
    }
}

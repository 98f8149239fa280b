package io.faasimage.bench.serving;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One connection that repeats the same request and drops the answers, at no more cost than reading has; it is made anew
 * when the server has closed it. Not thread-safe.
 */
final class Download implements AutoCloseable {
    private static final int BUFFER_BYTES = 256 * 1024;
    private static final String HEAD_END = "\r\n\r\n";
    private static final String LENGTH = "content-length:";

    private final SocketAddress server;
    private final byte[] request;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private SocketChannel channel;

    private Download(SocketAddress server, byte[] request) throws IOException {
        this.server = server;
        this.request = request;
        this.channel = SocketChannel.open(server);
    }

    /** Connects; {@code request} is the whole of an HTTP/1.1 request that keeps the connection. */
    static Download connect(URI server, byte[] request) throws IOException {
        return new Download(new InetSocketAddress(server.getHost(), server.getPort()), request);
    }

    /**
     * Sends the request, and reads the answer to its end.
     *
     * @return its body's length, bytes
     * @throws IOException when the answer is not 200, has no length or ends early
     */
    long once() throws IOException {
        ByteBuffer asked = ByteBuffer.wrap(request);
        while (asked.hasRemaining()) {
            channel.write(asked);
        }
        buffer.clear();
        String head = "";
        while (!head.contains(HEAD_END)) {
            more();
            head = StandardCharsets.ISO_8859_1.decode(buffer.duplicate().flip()).toString();
        }
        int body = head.indexOf(HEAD_END) + HEAD_END.length();
        long length = length(head.substring(0, body));
        long left = length - (buffer.position() - body);
        while (left > 0) {
            buffer.clear();
            more();
            left -= buffer.position();
        }
        if (head.toLowerCase(Locale.ROOT).contains("\r\nconnection: close\r\n")) {
            channel.close();
            channel = SocketChannel.open(server);
        }
        return length;
    }

    private void more() throws IOException {
        if (channel.read(buffer) < 0) {
            throw new EOFException("the connection to " + server + " ended within an answer");
        }
    }

    private static long length(String head) throws IOException {
        if (!head.startsWith("HTTP/1.1 200")) {
            throw new IOException("the answer is " + head.lines().findFirst().orElse("empty"));
        }
        return head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(LENGTH))
                .mapToLong(
                        line -> Long.parseLong(line.substring(LENGTH.length()).strip()))
                .findFirst()
                .orElseThrow(() -> new IOException("the answer has no Content-Length"));
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

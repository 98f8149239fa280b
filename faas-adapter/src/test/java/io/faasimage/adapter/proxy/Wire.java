package io.faasimage.adapter.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One end of a connection, byte by byte; text is ISO-8859-1, a character for each byte. */
final class Wire implements AutoCloseable {
    private static final int LIMIT_MILLIS = 20_000;

    final Socket socket;

    Wire(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(LIMIT_MILLIS);
    }

    static Wire connect(int port) throws IOException {
        return new Wire(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    Wire send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return this;
    }

    /** Up to and with {@code end}. */
    String readTo(String end) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder text = new StringBuilder();
        while (text.length() < end.length()
                || !text.substring(text.length() - end.length()).equals(end)) {
            int next = in.read();
            if (next < 0) {
                throw new AssertionError("the connection ended after: " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    String readHead() throws IOException {
        return readTo("\r\n\r\n");
    }

    String read(int bytes) throws IOException {
        byte[] read = socket.getInputStream().readNBytes(bytes);
        return new String(read, StandardCharsets.ISO_8859_1);
    }

    String readToEnd() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        socket.getInputStream().transferTo(out);
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

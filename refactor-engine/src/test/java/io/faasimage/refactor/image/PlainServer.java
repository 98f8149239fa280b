package io.faasimage.refactor.image;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;

/** A server of HTTP on a loopback port, which refuses TLS at once, so that clients continue without it. */
final class PlainServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final UnaryOperator<String> answers;
    private final Semaphore cutOff = new Semaphore(0);

    /** A server; {@code answers} makes the status line, headers and body of an answer to a path. */
    PlainServer(UnaryOperator<String> answers) throws IOException {
        this.answers = answers;
        Thread.ofVirtual().start(this::serve);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** A permit for each answer that was not read to its end. */
    Semaphore cutOff() {
        return cutOff;
    }

    /** An answer with a body. */
    static String answer(String status, String body, String... headers) {
        StringBuilder text = new StringBuilder("HTTP/1.1 " + status + "\r\nConnection: close\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return text.append("Content-Length: ")
                .append(body.length())
                .append("\r\n\r\n")
                .append(body)
                .toString();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                String answer = answer("400 no TLS here", "");
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
                if (in.read() == 'G') {
                    String path = in.readLine().split(" ", 3)[1];
                    while (!in.readLine().isEmpty()) {
                        // Headers do not matter.
                    }
                    answer = answers.apply(path);
                }
                send(connection, answer);
            } catch (IOException e) {
                // The client has gone: the next one.
            }
        }
    }

    private void send(Socket connection, String answer) throws IOException {
        try {
            connection.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            cutOff.release();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

package io.faasimage.api.client;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A connected socket.
 *
 * @param socket of TCP
 * @param tls over it
 */
public record Line(Socket socket, Optional<SSLSocket> tls) {
    /** Connects. */
    public static Line connect(InetSocketAddress server, Duration limit) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(server, Math.toIntExact(limit.toMillis()));
            return new Line(socket, Optional.empty());
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * The line with TLS; it is closed when that fails.
     *
     * @param name that the certificate must have, unless {@code anyName}
     * @param limit for each read, and half the limit for all
     */
    public Line secured(SSLSocketFactory sockets, String name, boolean anyName, Duration limit) throws IOException {
        CompletableFuture<Boolean> inTime =
                new CompletableFuture<Boolean>().completeOnTimeout(false, 2 * limit.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> _ = inTime.thenAccept(yes -> {
            if (!yes) {
                close();
            }
        });
        try {
            Line secured = new Line(socket, Optional.of(handshake(sockets, name, anyName, limit)));
            inTime.complete(true);
            return secured;
        } catch (IOException | RuntimeException e) {
            boolean late = !inTime.complete(true);
            close();
            if (late) {
                throw new SocketTimeoutException("TLS took longer than " + 2 * limit.toMillis() + " ms");
            }
            throw e;
        }
    }

    private SSLSocket handshake(SSLSocketFactory sockets, String name, boolean anyName, Duration limit)
            throws IOException {
        SSLSocket secure = (SSLSocket) sockets.createSocket(socket, name, socket.getPort(), true);
        if (!anyName) {
            SSLParameters parameters = secure.getSSLParameters();
            // RFC 9110, 4.3.4: the certificate is of that host.
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
        }
        secure.setSoTimeout(Math.toIntExact(limit.toMillis()));
        secure.startHandshake();
        return secure;
    }

    private void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The failure that it is closed for is thrown.
            return;
        }
    }
}

package io.faasimage.registry.platform.connection;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** The connection of a request, which sends the body of an answer by its shortest way. */
public final class ClientConnection {
    private ClientConnection() {}

    /** A writer of a body. */
    @FunctionalInterface
    public interface Body {
        /**
         * Writes exactly as many bytes as the answer's Content-Length announces.
         *
         * @throws IOException when the client does not take them
         */
        void writeTo(BodyTarget target) throws IOException;
    }

    /**
     * Sends the answer's head, and then the body. Tomcat does not see bytes that go to the socket itself, so a body
     * that ends early ends the connection here.
     */
    public static void send(HttpServletResponse response, Body body) throws IOException {
        if (DirectHttpProtocol.CONNECTION.isBound()
                && DirectHttpProtocol.CONNECTION.get().getSocket() instanceof NioChannel channel
                && channel.getClass() == NioChannel.class) {
            SocketWrapperBase<?> connection = DirectHttpProtocol.CONNECTION.get();
            boolean whole = false;
            response.flushBuffer();
            try {
                body.writeTo(new SocketTarget(channel.getIOChannel(), connection));
                whole = true;
            } finally {
                if (!whole) {
                    connection.close();
                }
            }
        } else {
            body.writeTo(new StreamTarget(response.getOutputStream()));
            response.flushBuffer();
        }
    }
}

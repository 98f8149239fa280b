package io.faasimage.registry.platform.connection;

import io.faasimage.registry.platform.problem.ProblemException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sender of binary answers; a client that disconnects meanwhile is not reported. */
public final class ClientStream {
    private static final Logger LOG = LoggerFactory.getLogger(ClientStream.class);
    private static final int BUFFER_BYTES = 64 * 1024;

    private ClientStream() {}

    /** A writer of the body; an IOException means that the client does not take it. */
    public interface Body {
        void writeTo(ServletOutputStream out) throws IOException;
    }

    /** Sends {@code body} by the shortest way that the connection has. */
    public static void sendDirect(HttpServletResponse response, ClientConnection.Body body) {
        try {
            ClientConnection.send(response, body);
        } catch (IOException e) {
            LOG.debug("the client disconnected", e);
        }
    }

    /** Sends {@code body}; a failure leaves no trace in an answer that is not yet on its way. */
    public static void send(HttpServletResponse response, Body body) {
        try {
            response.setBufferSize(BUFFER_BYTES);
            body.writeTo(response.getOutputStream());
            response.flushBuffer();
        } catch (ProblemException e) {
            if (!response.isCommitted()) {
                response.reset();
            }
            throw e;
        } catch (IOException e) {
            LOG.debug("the client disconnected", e);
        }
    }
}

package io.faasimage.registry.platform.connection;

import java.io.IOException;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP/1.1 over NIO, which lets the code that answers a request reach the connection that the request came by.
 */
public final class DirectHttpProtocol extends Http11NioProtocol {
    /** Bound while requests of a connection are served. */
    static final ScopedValue<SocketWrapperBase<?>> CONNECTION = ScopedValue.newInstance();

    @Override
    protected Processor createProcessor() {
        return new ConnectedProcessor(this);
    }

    private static final class ConnectedProcessor extends Http11Processor {
        ConnectedProcessor(DirectHttpProtocol protocol) {
            super(protocol, protocol.getAdapter());
        }

        @Override
        public SocketState service(SocketWrapperBase<?> connection) throws IOException {
            return ScopedValue.where(CONNECTION, connection).call(() -> super.service(connection));
        }
    }
}

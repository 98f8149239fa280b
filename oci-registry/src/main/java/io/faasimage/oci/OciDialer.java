package io.faasimage.oci;

import io.faasimage.api.client.Connections;
import io.faasimage.api.client.Line;
import io.faasimage.format.id.Host;
import io.faasimage.oci.HostPolicy.Protocol;
import io.faasimage.oci.OciDialer.Server;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * An opener of sockets to registries and the hosts that they lead to, at addresses that the policy has checked; through
 * a proxy, to the proxy's address.
 *
 * @param tls the authorities that TLS trusts; the JVM's own when empty
 */
record OciDialer(HostPolicy policy, Optional<SSLContext> tls) implements Connections.Dialer<Server> {
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final int MAX_TUNNEL_BYTES = 16 << 10;

    /** What a connection is kept for. */
    record Server(Protocol protocol, Host host, Optional<InetSocketAddress> proxy) {}

    @Override
    public Line dial(Server server) throws IOException {
        Host host = server.host();
        Line line = server.proxy().isPresent()
                ? connect(
                        InetAddress.getAllByName(server.proxy().get().getHostString()),
                        server.proxy().get().getPort())
                : connect(policy.resolve(host.name()), host.port());
        if (server.protocol() == Protocol.PLAIN) {
            return line;
        }
        if (server.proxy().isPresent()) {
            tunnel(line.socket(), host);
        }
        boolean unverified = server.protocol() == Protocol.UNVERIFIED;
        return line.secured(unverified ? Unverified.SOCKETS : verified(), host.name(), unverified, CONNECT);
    }

    private static Line connect(InetAddress[] addresses, int port) throws IOException {
        for (int i = 0; ; i++) {
            try {
                return Line.connect(new InetSocketAddress(addresses[i], port), CONNECT);
            } catch (IOException e) {
                if (i + 1 == addresses.length) {
                    throw e;
                }
            }
        }
    }

    /** Makes an HTTP proxy pass bytes on (RFC 9110, section 9.3.6). */
    private static void tunnel(Socket socket, Host host) throws IOException {
        boolean done = false;
        try {
            String to = host.toString();
            socket.setSoTimeout(Math.toIntExact(CONNECT.toMillis()));
            socket.getOutputStream()
                    .write(("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            ByteArrayOutputStream head = new ByteArrayOutputStream();
            while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                int next = socket.getInputStream().read();
                if (next < 0 || head.size() == MAX_TUNNEL_BYTES) {
                    throw new ConnectException("the HTTP proxy broke off");
                }
                head.write(next);
            }
            if (!head.toString(StandardCharsets.ISO_8859_1).matches("(?s)HTTP/1\\.[01] 2.*")) {
                throw new ConnectException("the HTTP proxy does not connect to " + to);
            }
            done = true;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    private SSLSocketFactory verified() {
        return tls.map(SSLContext::getSocketFactory).orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    /** TLS with whomever. */
    private static final class Unverified implements X509TrustManager {
        static final SSLSocketFactory SOCKETS = sockets();

        private static SSLSocketFactory sockets() {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[] {new Unverified()}, null);
                return context.getSocketFactory();
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every JVM has TLS", e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}

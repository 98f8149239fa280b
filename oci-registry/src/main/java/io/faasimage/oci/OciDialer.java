package io.faasimage.oci;

import io.faasimage.api.client.Line;
import io.faasimage.format.id.Host;
import io.faasimage.oci.HostPolicy.Protocol;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * The opener of connections to registries and the hosts that they lead to, at addresses that the policy has checked;
 * through a proxy, to the proxy's address. Stateless.
 */
final class OciDialer {
    /** Of each read of a TLS handshake, or of a proxy's answer. */
    private static final Duration LIMIT = HostLink.CONNECT;

    private static final int MAX_TUNNEL_BYTES = 16 << 10;

    private OciDialer() {}

    /** The far end of connections that are kept. */
    record Server(Protocol protocol, Host host, Optional<InetSocketAddress> proxy, HostLink link) {}

    /** A new connection to {@code server}. */
    static Line dial(Server server) throws IOException {
        Host host = server.host();
        HostLink link = server.link();
        Line line = server.proxy().isPresent()
                ? connect(
                        InetAddress.getAllByName(server.proxy().get().getHostString()),
                        server.proxy().get().getPort(),
                        link.connect())
                : connect(link.policy().resolve(host.name()), host.port(), link.connect());
        if (server.protocol() == Protocol.PLAIN) {
            return line;
        }
        if (server.proxy().isPresent()) {
            tunnel(line.socket(), host);
        }
        boolean unverified = server.protocol() == Protocol.UNVERIFIED;
        return line.secured(
                unverified ? link.unverifiedSockets() : link.verifiedSockets(), host.name(), unverified, LIMIT);
    }

    private static Line connect(InetAddress[] addresses, int port, Duration limit) throws IOException {
        for (int i = 0; ; i++) {
            try {
                return Line.connect(new InetSocketAddress(addresses[i], port), limit);
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
            socket.setSoTimeout(Math.toIntExact(LIMIT.toMillis()));
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
}

package io.faasimage.builder.egress;

import io.faasimage.format.id.Host;
import io.faasimage.linux.NetworkNamespace;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Semaphore;

/**
 * An HTTP proxy that listens inside a network namespace and connects outside of it, only to hosts that its rules allow:
 * all of the network that an installation has. Thread-safe.
 *
 * <p>It speaks CONNECT, and HTTP with absolute addresses, one request for each connection (RFC 9112). An upstream proxy
 * of this process's environment is used.
 */
public final class EgressProxy implements AutoCloseable {
    private static final int PORT = 3128;
    private static final int BACKLOG = 64;
    private static final int MOST_CONNECTIONS = 64;
    private static final int MOST_REFUSED = 20;
    private static final int BUFFER_BYTES = 8 << 10;
    private static final int CONNECT_MILLIS = (int) Duration.ofSeconds(10).toMillis();
    private static final int HEAD_MILLIS = (int) Duration.ofSeconds(30).toMillis();

    private final ServerSocket server;
    private final EgressRules rules;
    private final Map<String, String> environment;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<String> refused = new ConcurrentSkipListSet<>();
    private final Semaphore connections = new Semaphore(MOST_CONNECTIONS);

    private EgressProxy(ServerSocket server, EgressRules rules, Map<String, String> environment) {
        this.server = server;
        this.rules = rules;
        this.environment = environment;
    }

    /**
     * Serves the processes of a namespace until it is closed.
     *
     * @param environment with this machine's own proxies, as {@link System#getenv()}
     */
    public static EgressProxy open(NetworkNamespace namespace, EgressRules rules, Map<String, String> environment)
            throws IOException {
        ServerSocket server = namespace.inside(
                () -> new ServerSocket(PORT, BACKLOG, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
        EgressProxy proxy = new EgressProxy(server, rules, environment);
        Thread.ofVirtual().name("egress").start(proxy::accept);
        return proxy;
    }

    /** Its address for the processes of the namespace. */
    public String url() {
        return "http://127.0.0.1:" + PORT;
    }

    /** Hosts that were requested and may not be reached, in order; not more than some. */
    public List<String> refused() {
        return List.copyOf(refused);
    }

    private void accept() {
        try {
            while (true) {
                Socket client = server.accept();
                if (connections.tryAcquire()) {
                    Thread.ofVirtual().name("egress-client").start(() -> serve(client));
                } else {
                    client.close();
                }
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client) {
            open.add(client);
            answer(client);
        } catch (IOException e) {
            // Either side has gone; the package manager says what it lacks.
        } finally {
            open.remove(client);
            connections.release();
        }
    }

    private void answer(Socket client) throws IOException {
        client.setSoTimeout(HEAD_MILLIS);
        InputStream in = new BufferedInputStream(client.getInputStream());
        RequestHead head;
        try {
            head = RequestHead.read(in);
        } catch (ProtocolException e) {
            refuse(client, "400 Bad Request", String.valueOf(e.getMessage()));
            return;
        }
        client.setSoTimeout(0);
        try (Socket remote = new Socket()) {
            open.add(remote);
            try {
                if (!connect(remote, head, client)) {
                    return;
                }
            } catch (IOException e) {
                refuse(client, "502 Bad Gateway", head.target() + " cannot be reached: " + e.getMessage());
                return;
            }
            Thread back = Thread.ofVirtual().name("egress-answer").start(() -> copy(remote, client));
            if (head.tunnel()) {
                in.transferTo(remote.getOutputStream());
                remote.shutdownOutput();
            } else {
                // No further request: it might be for another host.
                send(in, head.bodyBytes(), remote.getOutputStream());
            }
            join(back);
        } finally {
            open.removeIf(Socket::isClosed);
        }
    }

    private static void send(InputStream in, long bytes, OutputStream out) throws IOException {
        for (long left = bytes; left > 0; ) {
            byte[] part = in.readNBytes((int) Math.min(left, BUFFER_BYTES));
            if (part.length == 0) {
                throw new EOFException("a document ends too early");
            }
            out.write(part);
            left -= part.length;
        }
    }

    /** Connects, and sends what begins the exchange; false when the host may not be reached, which was answered. */
    private boolean connect(Socket remote, RequestHead head, Socket client) throws IOException {
        Host target = head.target();
        Optional<UpstreamProxy> upstream = UpstreamProxy.of(environment, head.tunnel(), target);
        if (upstream.isPresent()) {
            if (!rules.allowsByName(target)) {
                forbid(client, target);
                return false;
            }
            through(remote, upstream.get(), head);
        } else {
            List<InetAddress> addresses = rules.resolve(target);
            if (addresses.isEmpty()) {
                forbid(client, target);
                return false;
            }
            // An address that was looked at; its name is not resolved again.
            remote.connect(new InetSocketAddress(addresses.getFirst(), target.port()), CONNECT_MILLIS);
            if (!head.tunnel()) {
                remote.getOutputStream().write(head.bytes(head.line(), ""));
            }
        }
        if (head.tunnel()) {
            write(client, "HTTP/1.1 200 Connection established\r\n\r\n");
        }
        return true;
    }

    private static void through(Socket remote, UpstreamProxy proxy, RequestHead head) throws IOException {
        remote.connect(new InetSocketAddress(proxy.host().name(), proxy.host().port()), CONNECT_MILLIS);
        OutputStream out = remote.getOutputStream();
        if (!head.tunnel()) {
            String line = head.line().replaceFirst(" ", " http://" + head.target());
            out.write(head.bytes(line, proxy.authorization()));
            return;
        }
        String request = "CONNECT " + head.target() + " HTTP/1.1\r\nHost: " + head.target() + "\r\n";
        out.write((request + proxy.authorization() + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        String answer = RequestHead.head(remote.getInputStream());
        if (!answer.matches("(?s)HTTP/1\\.[01] 2.*")) {
            throw new IOException("the proxy " + proxy.host() + " answered "
                    + answer.lines().findFirst().orElse(""));
        }
    }

    private void forbid(Socket client, Host target) throws IOException {
        if (refused.size() < MOST_REFUSED) {
            refused.add(target.toString());
        }
        refuse(client, "403 Forbidden", target + " may not be reached by builds");
    }

    private static void refuse(Socket client, String status, String reason) throws IOException {
        write(
                client,
                "HTTP/1.1 " + status + "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
                        + reason + "\n");
    }

    private static void write(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // The other direction ends, too.
            close(from);
            close(to);
        }
    }

    private static void join(Thread thread) throws IOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IOException("interrupted", e);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    /** Ends all connections. */
    @Override
    public void close() throws IOException {
        server.close();
        open.forEach(EgressProxy::close);
    }
}

package io.faasimage.oci;

import io.faasimage.api.client.Connections;
import io.faasimage.api.client.Connections.Answer;
import io.faasimage.api.client.Line;
import io.faasimage.format.id.Host;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.HostPolicy.Protocol;
import io.faasimage.oci.OciException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Requests to registries, their token services and the hosts that they redirect to: each host is checked by the
 * {@link HostPolicy}, at each hop, for the address that is connected to, which nothing resolves again. Through a proxy,
 * only the names and addresses that a URL itself has are checked: the proxy resolves. Thread-safe.
 */
final class OciHttp implements AutoCloseable {
    static final String AUTHORIZATION = "Authorization";

    private static final int MAX_REDIRECTS = 5;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** An unread body up to this length costs less than a new connection. */
    private static final int DRAINED_BYTES = 4096;

    private static final int MAX_TUNNEL_BYTES = 16 << 10;
    private static final Pattern LITERAL = Pattern.compile("[0-9.]+|.*:.*");

    private final HostPolicy policy;
    private final Optional<SSLContext> tls;
    private final Duration answer;
    private final Connections<Server> connections;
    private final Map<Host, Protocol> spoken = new ConcurrentHashMap<>();

    private record Server(Protocol protocol, Host host, Optional<InetSocketAddress> proxy) {}

    OciHttp(OciRegistry.Options options) {
        this.policy = options.policy();
        this.tls = options.tls();
        this.answer = options.answer();
        this.connections = new Connections<>(this::dial, answer, options.silence(), options.rate());
    }

    /** Gets {@code path} of the image's repository, through redirects. */
    Answer get(ImageReference reference, String path, Map<String, String> headers) throws IOException {
        Host registry = Host.parse(reference.registry());
        Protocol known = spoken.get(registry);
        List<Protocol> protocols = known == null ? policy.protocols(registry) : List.of(known);
        @Nullable IOException unanswered = null;
        for (int i = 0; ; i++) {
            Protocol protocol = protocols.get(i);
            boolean another = i + 1 < protocols.size();
            URI uri = uri(reference, path, protocol);
            long begin = System.nanoTime();
            try {
                Answer response = send(uri, protocol, request("GET", uri, headers));
                // A server of TLS calls a request without it a bad one.
                if (another && protocol == Protocol.PLAIN && response.status() == 400) {
                    drop(response);
                    continue;
                }
                spoken.put(registry, protocol);
                return follow(registry, uri, response, headers, begin);
            } catch (OciException e) {
                throw e;
            } catch (IOException e) {
                if (!another || !isPerhapsOf(protocol, e)) {
                    throw OciException.at(String.valueOf(uri.getAuthority()), unanswered == null ? e : unanswered);
                }
                unanswered = protocol == Protocol.PLAIN ? e : null;
            }
        }
    }

    /** Whether the failure may be that of a server which speaks another protocol. */
    private static boolean isPerhapsOf(Protocol protocol, IOException e) {
        return protocol == Protocol.PLAIN
                ? !(e instanceof ConnectException || e instanceof SocketTimeoutException)
                : e instanceof ConnectException || e instanceof SSLException;
    }

    private static URI uri(ImageReference reference, String path, Protocol protocol) {
        String host = reference.registry().equals("docker.io") ? "registry-1.docker.io" : reference.registry();
        String scheme = protocol == Protocol.PLAIN ? "http://" : "https://";
        return URI.create(scheme + host + "/v2/" + reference.repository() + "/" + path);
    }

    /** Whether the registry is spoken to without TLS. */
    boolean isPlain(ImageReference reference) {
        return spoken.get(Host.parse(reference.registry())) == Protocol.PLAIN;
    }

    /** Gets a document of another host that the image's registry names, through redirects. */
    Answer get(ImageReference reference, URI uri, Map<String, String> headers) throws IOException {
        Host registry = Host.parse(reference.registry());
        long begin = System.nanoTime();
        return follow(registry, uri, hop(registry, uri, request("GET", uri, headers)), headers, begin);
    }

    /** Posts a form to another host that the image's registry names; redirects are not followed. */
    Answer post(ImageReference reference, URI uri, String form) throws IOException {
        BasicClassicHttpRequest request = request("POST", uri, Map.of());
        request.setEntity(new StringEntity(form, ContentType.APPLICATION_FORM_URLENCODED));
        return hop(Host.parse(reference.registry()), uri, request);
    }

    private Answer follow(Host registry, URI start, Answer first, Map<String, String> headers, long begin)
            throws IOException {
        URI at = start;
        Answer response = first;
        for (int hop = 0;
                response.status() / 100 == 3 && response.header("Location").isPresent();
                hop++) {
            drop(response);
            if (hop == MAX_REDIRECTS) {
                throw new OciException(Kind.INVALID, "the registry redirects more than " + MAX_REDIRECTS + " times");
            }
            if (System.nanoTime() - begin > answer.toNanos()) {
                throw new OciException(
                        Kind.SLOW, "the registry sent only redirections within " + answer.toSeconds() + " s");
            }
            at = resolve(at, response.header("Location").get());
            BasicClassicHttpRequest request = request("GET", at, headers);
            if (!at.getScheme().equals(start.getScheme()) || !at.getAuthority().equals(start.getAuthority())) {
                // A login is for its own host, not for the storage that the host points to.
                request.removeHeaders(AUTHORIZATION);
            }
            response = hop(registry, at, request);
        }
        return response;
    }

    private static URI resolve(URI base, String location) throws OciException {
        try {
            URI target = base.resolve(location);
            boolean http = "http".equals(target.getScheme()) || "https".equals(target.getScheme());
            if (http && target.getHost() != null) {
                return target;
            }
        } catch (IllegalArgumentException e) {
            throw new OciException(Kind.INVALID, "the registry redirects to something that is no URL", e);
        }
        throw new OciException(Kind.INVALID, "the registry redirects to something that is not HTTP");
    }

    private Answer hop(Host registry, URI uri, BasicClassicHttpRequest request) throws IOException {
        Host host = host(uri);
        Protocol protocol;
        if ("https".equals(uri.getScheme())) {
            protocol = policy.isUnverified(host, registry) ? Protocol.UNVERIFIED : Protocol.TLS;
        } else {
            policy.checkPlain(host, registry);
            protocol = Protocol.PLAIN;
        }
        try {
            return send(uri, protocol, request);
        } catch (IOException e) {
            throw OciException.at(String.valueOf(uri.getAuthority()), e);
        }
    }

    private static Host host(URI uri) {
        boolean secure = "https".equals(uri.getScheme());
        return new Host(uri.getHost(), uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80);
    }

    private static BasicClassicHttpRequest request(String method, URI uri, Map<String, String> headers) {
        BasicClassicHttpRequest request = new BasicClassicHttpRequest(method, uri);
        request.setHeader("User-Agent", "faasimage");
        headers.forEach(request::setHeader);
        return request;
    }

    private Answer send(URI uri, Protocol protocol, BasicClassicHttpRequest request) throws IOException {
        Host host = host(uri);
        Optional<InetSocketAddress> proxy = proxy(uri);
        if (proxy.isPresent() && LITERAL.matcher(host.name()).matches()) {
            policy.resolve(host.name());
        }
        request.setAbsoluteRequestUri(proxy.isPresent() && protocol == Protocol.PLAIN);
        return connections.send(new Server(protocol, host, proxy), request, true);
    }

    private static Optional<InetSocketAddress> proxy(URI uri) {
        for (Proxy proxy : ProxySelector.getDefault().select(uri)) {
            if (proxy.type() == Proxy.Type.HTTP && proxy.address() instanceof InetSocketAddress address) {
                return Optional.of(address);
            }
        }
        return Optional.empty();
    }

    /** Ends an answer whose body nobody needs. */
    static void drop(Answer response) throws IOException {
        try (InputStream body = response.body()) {
            if (response.length() >= 0 && response.length() <= DRAINED_BYTES) {
                body.readNBytes(DRAINED_BYTES + 1);
            }
        }
    }

    private Line dial(Server server) throws IOException {
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

    @Override
    public void close() {
        connections.close();
    }
}

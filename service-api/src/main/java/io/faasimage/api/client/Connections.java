package io.faasimage.api.client;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnectionFactory;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.http.protocol.HttpProcessor;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.RequestConnControl;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 client with kept connections. The reader of a response reads the socket, into its own buffer: beside a
 * start there is no processor time for passing every piece from the thread of a selector to another. A body may be
 * closed from any thread; that ends a read that waits. Thread-safe; blocking.
 *
 * @param <T> what names a server; equal ones share connections
 */
public final class Connections<T> implements AutoCloseable {
    private static final Duration KEPT = Duration.ofSeconds(30);

    /** An idle connection is first checked for a close by the service after this time, which takes up to 1 ms. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final int MOST_KEPT = 16;

    /** Bounds the memory that a broken service can make this process hold. */
    private static final Http1Config LIMITS = Http1Config.custom()
            .setMaxLineLength(64 << 10)
            .setMaxHeaderCount(200)
            .build();

    private static final HttpProcessor PROCESSOR = HttpProcessorBuilder.create()
            .addAll(new RequestContent(true), RequestTargetHost.INSTANCE, RequestConnControl.INSTANCE)
            .build();

    private final Dialer<T> dialer;
    private final Duration answerTimeout;
    private final Timeout silence;
    private final MinimumRate rate;
    private final HttpRequestExecutor executor = new HttpRequestExecutor();
    private final DefaultBHttpClientConnectionFactory factory =
            DefaultBHttpClientConnectionFactory.builder().http1Config(LIMITS).build();
    /** Idle connections; the one that was used last comes first. */
    private final Deque<Resting<T>> resting = new ArrayDeque<>();

    private final Set<HttpClientConnection> all = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Opens sockets to servers. */
    @FunctionalInterface
    public interface Dialer<T> {
        /** A new socket that is connected to {@code server}. */
        Line dial(T server) throws IOException;
    }

    private record Resting<T>(T server, HttpClientConnection connection, long since) {
        Duration age() {
            return Duration.ofNanos(System.nanoTime() - since);
        }
    }

    /**
     * The beginning of an answer.
     *
     * @param response status and headers
     * @param body to be closed, or read to its end
     */
    public record Answer(ClassicHttpResponse response, InputStream body) implements Closeable {
        /** The status code. */
        public int status() {
            return response.getCode();
        }

        /** The first header of this name. */
        public Optional<String> header(String name) {
            return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
        }

        /** Bytes, or -1. */
        public long length() {
            HttpEntity entity = response.getEntity();
            return entity == null ? 0 : entity.getContentLength();
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }

    /**
     * A client.
     *
     * @param answer the longest time from a request to the answer's headers
     * @param silence the longest time for one read of a body
     * @param rate the minimum rate of a body
     */
    public Connections(Dialer<T> dialer, Duration answer, Duration silence, MinimumRate rate) {
        this.dialer = dialer;
        this.answerTimeout = answer;
        this.silence = Timeout.of(silence);
        this.rate = rate;
    }

    /**
     * Sends a request; over a new connection when a kept one turns out to be closed and the request may be repeated.
     *
     * @param repeatable whether it does no harm when the service has had it already
     */
    public Answer send(T server, ClassicHttpRequest request, boolean repeatable) throws IOException {
        Optional<HttpClientConnection> kept = take(server, !repeatable);
        if (kept.isPresent()) {
            try {
                return over(server, kept.get(), request);
            } catch (IOException e) {
                if (!repeatable || e instanceof SocketTimeoutException) {
                    throw e;
                }
                // It was closed just then.
                return over(server, connect(server), request);
            }
        }
        return over(server, connect(server), request);
    }

    private Optional<HttpClientConnection> take(T server, boolean surely) {
        while (true) {
            @Nullable Resting<T> next = next(server);
            if (next == null) {
                return Optional.empty();
            }
            boolean asked = surely || next.age().compareTo(FRESH) > 0;
            if (next.age().compareTo(KEPT) < 0 && (!asked || isQuiet(next.connection()))) {
                return Optional.of(next.connection());
            }
            discard(next.connection());
        }
    }

    private @Nullable Resting<T> next(T server) {
        synchronized (resting) {
            for (Iterator<Resting<T>> each = resting.iterator(); each.hasNext(); ) {
                Resting<T> next = each.next();
                if (next.server().equals(server)) {
                    each.remove();
                    return next;
                }
            }
            return null;
        }
    }

    /** Unrequested bytes, such as a proxy's farewell, would be taken for the next answer. */
    private static boolean isQuiet(HttpClientConnection connection) {
        EndpointDetails details = connection.getEndpointDetails();
        try {
            long before = details.getReceivedBytesCount();
            return !connection.isStale() && details.getReceivedBytesCount() == before;
        } catch (IOException e) {
            return false;
        }
    }

    /** @throws ConnectException when nobody answers, whatever the reason: nothing has been sent then */
    private HttpClientConnection connect(T server) throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
        try {
            return connected(server);
        } catch (ConnectException | SSLException e) {
            throw e;
        } catch (IOException e) {
            String reason = e instanceof UnknownHostException ? "unknown host " + e.getMessage() : e.getMessage();
            throw (ConnectException) new ConnectException(reason).initCause(e);
        }
    }

    private HttpClientConnection connected(T server) throws IOException {
        Line line = dialer.dial(server);
        HttpClientConnection connection = line.tls().isPresent()
                ? factory.createConnection(line.tls().get(), line.socket())
                : factory.createConnection(line.socket());
        all.add(connection);
        if (closed) {
            discard(connection);
        }
        return connection;
    }

    private Answer over(T server, HttpClientConnection connection, ClassicHttpRequest request) throws IOException {
        boolean answered = false;
        // A socket's own limit is for one read, and there is none for writes.
        CompletableFuture<Boolean> inTime = new CompletableFuture<Boolean>()
                .completeOnTimeout(false, answerTimeout.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> _ = inTime.thenAccept(yes -> {
            if (!yes) {
                discard(connection);
            }
        });
        try {
            Answer answer = exchanged(server, connection, request);
            answered = inTime.complete(true);
            if (!answered) {
                throw late(null);
            }
            return answer;
        } catch (IOException e) {
            throw inTime.complete(true) ? e : late(e);
        } catch (HttpException | RuntimeException e) {
            throw new IOException("not an answer in HTTP: " + e.getMessage(), e);
        } finally {
            inTime.complete(true);
            if (!answered) {
                discard(connection);
            }
        }
    }

    private SocketTimeoutException late(@Nullable IOException e) {
        SocketTimeoutException late = new SocketTimeoutException("nothing within " + answerTimeout.toMillis() + " ms");
        late.initCause(e);
        return late;
    }

    private Answer exchanged(T server, HttpClientConnection connection, ClassicHttpRequest request)
            throws IOException, HttpException {
        HttpCoreContext context = HttpCoreContext.create();
        connection.setSocketTimeout(silence);
        executor.preProcess(request, PROCESSOR, context);
        ClassicHttpResponse response = executor.execute(request, connection, context);
        boolean keep = DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context);
        HttpEntity entity = response.getEntity();
        InputStream content = entity == null ? InputStream.nullInputStream() : entity.getContent();
        Body body = new Body(server, content, connection, keep);
        if (entity == null || entity.getContentLength() == 0) {
            body.end();
        }
        return new Answer(response, body);
    }

    private void keep(T server, HttpClientConnection connection) {
        @Nullable Resting<T> oldest = null;
        synchronized (resting) {
            resting.addFirst(new Resting<>(server, connection, System.nanoTime()));
            Resting<T> last = resting.getLast();
            if (resting.size() > MOST_KEPT || last.age().compareTo(KEPT) > 0) {
                oldest = resting.removeLast();
            }
        }
        if (oldest != null) {
            discard(oldest.connection());
        }
        if (closed) {
            close();
        }
    }

    private void discard(HttpClientConnection connection) {
        all.remove(connection);
        connection.close(CloseMode.IMMEDIATE);
    }

    /** Also ends reads that wait. */
    @Override
    public void close() {
        closed = true;
        for (Iterator<HttpClientConnection> each = all.iterator(); each.hasNext(); ) {
            each.next().close(CloseMode.IMMEDIATE);
            each.remove();
        }
    }

    /** A body that returns its connection at its end, and closes the connection when the end does not come. */
    private final class Body extends FilterInputStream {
        private final T server;
        private final HttpClientConnection connection;
        private final boolean keep;
        private final AtomicBoolean over = new AtomicBoolean();
        private final MinimumRate.Meter meter = rate.meter();
        private volatile boolean ended;

        Body(T server, InputStream content, HttpClientConnection connection, boolean keep) {
            super(content);
            this.server = server;
            this.connection = connection;
            this.keep = keep;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            if (ended) {
                return -1;
            }
            long begin = System.nanoTime();
            int count = super.read(buffer, offset, length);
            if (count < 0) {
                end();
                return count;
            }
            try {
                meter.count(System.nanoTime() - begin, count);
            } catch (IOException e) {
                close();
                throw e;
            }
            return count;
        }

        @Override
        public long skip(long count) throws IOException {
            return count <= 0 ? 0 : readNBytes((int) Math.min(count, 8192)).length;
        }

        @Override
        public int available() {
            return 0;
        }

        @Override
        public boolean markSupported() {
            return false;
        }

        void end() {
            ended = true;
            if (over.compareAndSet(false, true)) {
                if (keep) {
                    keep(server, connection);
                } else {
                    discard(connection);
                }
            }
        }

        @Override
        public void close() {
            if (over.compareAndSet(false, true)) {
                discard(connection);
            }
        }
    }
}

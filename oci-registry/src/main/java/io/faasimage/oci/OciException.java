package io.faasimage.oci;

import io.faasimage.api.client.MinimumRate;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Set;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a request to a registry. Its message contains nothing of an answer but the status and the
 * specification's error codes: a reference can point to any host, whose answers are not for everybody.
 */
public final class OciException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The messages of others say what happened in the words of the peer. */
    private static final Set<Class<?>> CLEAR = Set.of(
            ConnectException.class,
            SocketException.class,
            SocketTimeoutException.class,
            ConnectionClosedException.class,
            MinimumRate.TooSlowException.class);

    /** The kind of failure. */
    public enum Kind {
        /** The policy permits no connection to that host. */
        REFUSED,
        /** No such manifest or blob. */
        NOT_FOUND,
        /** The registry requires a login, or another one. */
        UNAUTHORIZED,
        /** A certificate of nobody who is trusted, or no TLS. */
        UNTRUSTED,
        /** No answer, or none that helps now. */
        UNAVAILABLE,
        /** Nothing, or too little, for too long. */
        SLOW,
        /** Other bytes than the digest says. */
        MISMATCH,
        /** A request that the registry rejects, or an answer that breaks the protocol. */
        INVALID,
        /** More bytes than the caller takes. */
        LIMIT,
        /** The thread was interrupted. */
        CANCELLED
    }

    private final Kind kind;

    OciException(Kind kind, String message) {
        this(kind, message, null);
    }

    OciException(Kind kind, String message, @Nullable Exception cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }

    /** What {@code e} says about {@code host}. */
    static OciException at(String host, IOException e) {
        if (e instanceof OciException known) {
            return known;
        }
        if (Thread.currentThread().isInterrupted()
                || (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException))) {
            return new OciException(Kind.CANCELLED, "interrupted", e);
        }
        if (e instanceof SSLException) {
            boolean broken = e.getCause() instanceof EOFException || e.getCause() instanceof SocketException;
            return new OciException(
                    broken ? Kind.UNAVAILABLE : Kind.UNTRUSTED, host + ": TLS failed, " + e.getMessage(), e);
        }
        boolean slow = e instanceof SocketTimeoutException || e instanceof MinimumRate.TooSlowException;
        return new OciException(slow ? Kind.SLOW : Kind.UNAVAILABLE, host + ": " + reason(e), e);
    }

    private static String reason(IOException e) {
        if (e.getCause() instanceof HttpException || e instanceof NoHttpResponseException) {
            return "no answer in HTTP";
        }
        String type = e.getClass().getSimpleName();
        return CLEAR.contains(e.getClass()) && e.getMessage() != null ? e.getMessage() : type;
    }
}

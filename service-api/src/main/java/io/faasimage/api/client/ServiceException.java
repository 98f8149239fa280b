package io.faasimage.api.client;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to registry-service that failed; the message names the request, the reason and the remedy. */
public final class ServiceException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Optional<Duration> retryAfter;
    private final transient Optional<String> detail;

    private ServiceException(
            String message,
            int status,
            Optional<Duration> retryAfter,
            Optional<String> detail,
            @Nullable Throwable cause) {
        super(message, cause);
        this.status = status;
        this.retryAfter = retryAfter;
        this.detail = detail;
    }

    static ServiceException answered(
            String message, int status, Optional<Duration> retryAfter, Optional<String> detail) {
        return new ServiceException(message, status, retryAfter, detail, null);
    }

    static ServiceException unreachable(String message, Throwable cause) {
        return new ServiceException(message, 0, Optional.empty(), Optional.empty(), cause);
    }

    /** The HTTP status; 0 when there was no answer. */
    public int status() {
        return status;
    }

    /** The service's own words, without the request; empty when something else answered, or nothing. */
    public Optional<String> detail() {
        return detail == null ? Optional.empty() : detail;
    }

    /** True when the requested thing does not exist. */
    public boolean notFound() {
        return status == 404;
    }

    /** Whether the same request may succeed later: no answer, 408, 429 or a server error. */
    public boolean retryable() {
        return status == 0 || status == 408 || status == 429 || status >= 500;
    }

    /** Whether no connection could be made, so that the service has seen nothing of the request. */
    public boolean notConnected() {
        return getCause() instanceof ConnectException;
    }

    /** The pause before the next attempt that the service requested. */
    public Optional<Duration> retryAfter() {
        return retryAfter == null ? Optional.empty() : retryAfter;
    }
}

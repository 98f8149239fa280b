package io.faasimage.node.link.service;

import io.faasimage.api.client.ServiceException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * A request that registry-service did not answer, or refused for a reason that passes; the message names the request
 * and the reason.
 */
public final class ServiceDownException extends IOException {
    private static final long serialVersionUID = 1L;

    /** With the reason. */
    public ServiceDownException(String message) {
        super(message);
    }

    /** With the reason and the failure behind it. */
    public ServiceDownException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether the service has answered, with an error: another request may succeed. */
    public boolean answered() {
        return getCause() instanceof ServiceException e && e.status() != 0;
    }

    /** The pause that the service requests before the same request. */
    public Optional<Duration> retryAfter() {
        return getCause() instanceof ServiceException e ? e.retryAfter() : Optional.empty();
    }
}

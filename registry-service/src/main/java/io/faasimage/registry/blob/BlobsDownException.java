package io.faasimage.registry.blob;

import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The store of blobs cannot be asked now: nothing is known of what it holds, and the same request may succeed later. */
public final class BlobsDownException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    /** A failure; the message names the store. */
    public BlobsDownException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The problem that a request has of it. */
    public ProblemException problem() {
        return ProblemException.retryLater(ProblemKind.BLOBS_UNAVAILABLE, String.valueOf(getMessage()), RETRY_AFTER);
    }

    /** Whether this is what a failure comes from. */
    public static boolean causes(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BlobsDownException
                    || (cause instanceof ProblemException problem && problem.kind() == ProblemKind.BLOBS_UNAVAILABLE)) {
                return true;
            }
        }
        return false;
    }
}

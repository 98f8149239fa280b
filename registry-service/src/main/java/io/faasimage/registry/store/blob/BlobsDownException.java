package io.faasimage.registry.store.blob;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A failure of the store of blobs to answer: its content is unknown now, and the same request may succeed later. */
public final class BlobsDownException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final Duration RETRY_AFTER = Duration.ofSeconds(2);

    private final boolean refused;

    /** A failure; the message names the store. */
    public BlobsDownException(String message, Throwable cause) {
        this(message, cause, false);
    }

    private BlobsDownException(String message, Throwable cause, boolean refused) {
        super(message, cause);
        this.refused = refused;
    }

    /** The store answers with a refusal: it may pass, but the operator has to look into it. */
    public static BlobsDownException refused(String message, Throwable cause) {
        return new BlobsDownException(message, cause, true);
    }

    /** The problem that a request has of it. */
    public ProblemException problem() {
        ProblemException problem =
                ProblemException.retryLater(ProblemKind.BLOBS_UNAVAILABLE, String.valueOf(getMessage()), RETRY_AFTER);
        problem.initCause(this);
        return problem;
    }

    /** Whether a failure comes from a store that answers, and refuses. */
    public static boolean refusalCauses(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BlobsDownException down && down.refused) {
                return true;
            }
        }
        return false;
    }

    /** Whether this is the cause of a failure. */
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

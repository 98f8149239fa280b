package io.faasimage.registry.platform.problem;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request that cannot be answered; the message is the problem's detail and names the remedy. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemKind kind;
    private final transient @Nullable Duration retryAfter;

    /** A problem of this kind. */
    public ProblemException(ProblemKind kind, String detail) {
        super(detail);
        this.kind = kind;
        this.retryAfter = null;
    }

    /** A problem of this kind that another failure caused. */
    public ProblemException(ProblemKind kind, String detail, Throwable cause) {
        super(detail, cause);
        this.kind = kind;
        this.retryAfter = null;
    }

    private ProblemException(ProblemKind kind, String detail, Duration retryAfter) {
        super(detail);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    /** A problem that passes: the same request may succeed after a while. */
    public static ProblemException retryLater(ProblemKind kind, String detail, Duration retryAfter) {
        return new ProblemException(kind, detail, retryAfter);
    }

    /** The pause before a retry; empty when that would not help or is not known. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The kind of problem. */
    public ProblemKind kind() {
        return kind;
    }

    /** Shorthand for {@link ProblemKind#NOT_FOUND}. */
    public static ProblemException notFound(String detail) {
        return new ProblemException(ProblemKind.NOT_FOUND, detail);
    }

    /** Shorthand for {@link ProblemKind#BAD_REQUEST}. */
    public static ProblemException badRequest(String detail) {
        return new ProblemException(ProblemKind.BAD_REQUEST, detail);
    }
}

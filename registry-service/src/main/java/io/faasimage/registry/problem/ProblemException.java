package io.faasimage.registry.problem;

/** A request that cannot be answered; the message is the problem's detail and names the remedy. */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemKind kind;

    /** A problem of this kind. */
    public ProblemException(ProblemKind kind, String detail) {
        super(detail);
        this.kind = kind;
    }

    /** A problem of this kind that another failure caused. */
    public ProblemException(ProblemKind kind, String detail, Throwable cause) {
        super(detail, cause);
        this.kind = kind;
    }

    /** What kind of problem it is. */
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

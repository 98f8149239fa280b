package io.faasimage.registry.platform.problem;

/** Kinds of problems; each has a stable type URI and an HTTP status. */
public enum ProblemKind {
    BAD_REQUEST(400, "bad-request", "The request is not valid"),
    UNAUTHORIZED(401, "unauthorized", "The token is missing or wrong"),
    FORBIDDEN(403, "forbidden", "The token may not do this"),
    NOT_FOUND(404, "not-found", "Not found"),
    METHOD_NOT_ALLOWED(405, "method-not-allowed", "The resource does not support this method"),
    NOT_ACCEPTABLE(406, "not-acceptable", "The resource does not offer this media type"),
    CONFLICT(409, "conflict", "The request conflicts with the present state"),
    TOO_LARGE(413, "too-large", "The body is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "unsupported-media-type", "The body has the wrong media type"),
    RANGE_NOT_SATISFIABLE(416, "range-not-satisfiable", "The range lies outside the object"),
    IMAGE_UNUSABLE(422, "image-unusable", "The image cannot be used"),
    TRACE_UNUSABLE(422, "trace-unusable", "The trace cannot be used"),
    BUSY(429, "busy", "The service is at its limit"),
    STORAGE(500, "storage", "Stored data is damaged or missing"),
    INTERNAL(500, "internal", "The service failed"),
    IMAGE_SOURCE(502, "image-source", "The image registry could not be used"),
    UNAVAILABLE(503, "unavailable", "The service cannot answer now"),
    PROVIDER_UNAVAILABLE(503, "provider-unavailable", "The issuer of the token cannot be used now"),
    DATABASE_UNAVAILABLE(503, "database-unavailable", "The database cannot be used now"),
    CANNOT_VERIFY(503, "cannot-verify", "The image could not be verified"),
    BLOBS_UNAVAILABLE(503, "blobs-unavailable", "The store of packs and plans cannot be used now");

    private final int status;
    private final String slug;
    private final String title;

    ProblemKind(int status, String slug, String title) {
        this.status = status;
        this.slug = slug;
        this.title = title;
    }

    /** HTTP status. */
    public int status() {
        return status;
    }

    /** The type URI: a stable name, not an address. */
    public String type() {
        return "urn:faasimage:problem:" + slug;
    }

    /** Short summary of the kind. */
    public String title() {
        return title;
    }

    /** The kind that stands for an HTTP status that something else decided on. */
    public static ProblemKind ofStatus(int status) {
        for (ProblemKind kind : values()) {
            if (kind.status == status && kind != STORAGE) {
                return kind;
            }
        }
        return status >= 500 ? INTERNAL : BAD_REQUEST;
    }
}

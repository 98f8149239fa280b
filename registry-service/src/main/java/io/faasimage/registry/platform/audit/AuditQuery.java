package io.faasimage.registry.platform.audit;

import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A filter of audit records; null or empty fields match everything.
 *
 * @param actor text in the ID or the name of the actor
 * @param action a label of {@link AuditAction}, or the part of one before its dot
 * @param object text in the object
 * @param from the first moment
 * @param until the moment after the last
 */
public record AuditQuery(
        @Nullable String actor,
        @Nullable String action,
        @Nullable String object,
        @Nullable Instant from,
        @Nullable Instant until) {
    /** Most records of one part of a list. */
    public static final int MAX_LIMIT = 500;

    /** All records. */
    public static final AuditQuery ALL = new AuditQuery(null, null, null, null, null);

    /** The latest time that a database can hold. */
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    /** Refuses values that no database can look for. */
    public AuditQuery {
        check("from", from);
        check("until", until);
    }

    private static void check(String name, @Nullable Instant time) {
        if (time != null && (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST))) {
            throw ProblemException.badRequest("'" + name + "' is a time from " + Instant.EPOCH + " to " + LATEST);
        }
    }
}

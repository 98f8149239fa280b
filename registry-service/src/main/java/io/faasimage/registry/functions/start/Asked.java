package io.faasimage.registry.functions.start;

import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Limits of query parameters, so that every query has values that the database can store. Stateless. */
final class Asked {
    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2199-12-31T00:00:00Z");

    private Asked() {}

    static void moment(String field, Instant moment) {
        if (moment.isBefore(FIRST) || moment.isAfter(LAST)) {
            throw ProblemException.badRequest("'" + field + "' is a moment from " + FIRST + " to " + LAST);
        }
    }

    static void text(String field, @Nullable String text) {
        if (text != null && text.indexOf('\0') >= 0) {
            throw ProblemException.badRequest("'" + field + "' has a NUL");
        }
    }
}

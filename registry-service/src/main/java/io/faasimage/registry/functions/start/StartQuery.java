package io.faasimage.registry.functions.start;

import io.faasimage.api.start.StartKind;
import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter of listed starts, newest first; null fields match everything.
 *
 * @param image manifest digest
 * @param function name
 * @param node name
 * @param kind class
 * @param cold only those that brought something, or only those that did not
 * @param after where the part before ended, as {@link io.faasimage.api.rest.Page#next} gave it
 * @param limit most starts, 1 to {@value #MAX_LIMIT}
 */
public record StartQuery(
        @Nullable String image,
        @Nullable String function,
        @Nullable String node,
        @Nullable StartKind kind,
        @Nullable Boolean cold,
        @Nullable String after,
        int limit) {
    /** Most starts of one part. */
    public static final int MAX_LIMIT = 500;

    /** Checks the limits. */
    public StartQuery {
        Asked.text("image", image);
        Asked.text("function", function);
        Asked.text("node", node);
        Asked.text("after", after);
        if (limit < 1 || limit > MAX_LIMIT) {
            throw ProblemException.badRequest("'limit' is 1 to " + MAX_LIMIT + ", not " + limit);
        }
    }

    /** The newest starts of all. */
    public static StartQuery newest(int limit) {
        return new StartQuery(null, null, null, null, null, null, limit);
    }

    /** The newest starts of a function. */
    public static StartQuery ofFunction(String function, int limit) {
        return new StartQuery(null, function, null, null, null, null, limit);
    }

    /** The same list from where a part of it ended, as {@link io.faasimage.api.rest.Page#next} gave it. */
    public StartQuery goingOn(String next) {
        return new StartQuery(image, function, node, kind, cold, next, limit);
    }

    /** Where the list continues. */
    record Place(Instant started, String id) {
        String text() {
            return started + "_" + id;
        }
    }

    Optional<Place> place() {
        if (after == null) {
            return Optional.empty();
        }
        int cut = after.indexOf('_');
        try {
            Instant started = Instant.parse(after.substring(0, Math.max(0, cut)));
            Asked.moment("after", started);
            return Optional.of(new Place(started, after.substring(cut + 1)));
        } catch (DateTimeParseException e) {
            throw new ProblemException(
                    io.faasimage.registry.platform.problem.ProblemKind.BAD_REQUEST,
                    "'after' is not the 'next' of the page before",
                    e);
        }
    }
}

package io.faasimage.registry.functions.start;

import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A selection of starts that are added up by hour; null fields match everything.
 *
 * @param image manifest digest
 * @param function name
 * @param node name
 * @param from begin of the first hour
 * @param until end of the last one
 */
public record StartRange(
        @Nullable String image,
        @Nullable String function,
        @Nullable String node,
        Instant from,
        Instant until) {
    /** Checks the limits, and widens the time to whole hours. */
    public StartRange {
        Asked.moment("from", from);
        Asked.moment("until", until);
        Asked.text("image", image);
        Asked.text("function", function);
        Asked.text("node", node);
        if (until.isBefore(from)) {
            throw ProblemException.badRequest("'from' comes before 'until'");
        }
        from = from.truncatedTo(ChronoUnit.HOURS);
        Instant hour = until.truncatedTo(ChronoUnit.HOURS);
        until = hour.equals(until) ? until : hour.plus(Duration.ofHours(1));
    }

    /** The starts of a function, null for all, in the newest hours, the present one included. */
    public static StartRange newest(@Nullable String function, int hours, Instant now) {
        return new StartRange(null, function, null, now.minus(Duration.ofHours(hours - 1L)), now);
    }
}

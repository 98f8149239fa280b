package io.faasimage.registry.start;

import io.faasimage.registry.problem.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A selection of starts that are added up by hour: all, or those of one image, function or node.
 *
 * @param image manifest digest; null for any
 * @param function name; null for any
 * @param node name; null for any
 * @param from begin of the first hour
 * @param until end of the last one
 */
public record SeriesQuery(
        @Nullable String image,
        @Nullable String function,
        @Nullable String node,
        Instant from,
        Instant until) {
    private static final Duration LONGEST = Duration.ofDays(100);

    /** Checks the limits, and widens the time to whole hours. */
    public SeriesQuery {
        if (Stream.of(image != null, function != null, node != null)
                        .filter(given -> given)
                        .count()
                > 1) {
            throw ProblemException.badRequest("give one of 'image', 'function' and 'node', or none");
        }
        Asked.moment("from", from);
        Asked.moment("until", until);
        Asked.text("image", image);
        Asked.text("function", function);
        Asked.text("node", node);
        if (until.isBefore(from) || Duration.between(from, until).compareTo(LONGEST) > 0) {
            throw ProblemException.badRequest("'from' comes before 'until', by " + LONGEST.toDays() + " days at most");
        }
        from = from.truncatedTo(ChronoUnit.HOURS);
        Instant hour = until.truncatedTo(ChronoUnit.HOURS);
        until = hour.equals(until) ? until : hour.plus(Duration.ofHours(1));
    }

    String scope() {
        if (image != null) {
            return StartHours.IMAGE + image;
        }
        if (function != null) {
            return StartHours.FUNCTION + function;
        }
        return node != null ? StartHours.NODE + node : StartHours.ALL;
    }
}

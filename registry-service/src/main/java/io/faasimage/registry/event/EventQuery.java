package io.faasimage.registry.event;

import io.faasimage.api.overview.EventInfo;
import io.faasimage.registry.platform.problem.ProblemException;
import org.jspecify.annotations.Nullable;

/**
 * A filter of events; null fields match everything.
 *
 * @param source of jobs or of nodes
 * @param subject the job's id or the node's name
 * @param image manifest digest
 * @param severity how much they matter
 */
public record EventQuery(
        EventInfo.@Nullable Source source,
        @Nullable String subject,
        @Nullable String image,
        EventInfo.@Nullable Severity severity) {
    /** Most events of one part of a list. */
    public static final int MAX_LIMIT = 500;

    /** All events. */
    public static final EventQuery ALL = new EventQuery(null, null, null, null);

    /** Refuses values that no database can look for. */
    public EventQuery {
        if ((subject != null && subject.indexOf('\0') >= 0) || (image != null && image.indexOf('\0') >= 0)) {
            throw ProblemException.badRequest("'subject' or 'image' has a NUL");
        }
    }

    /** Whether an event matches the query. */
    public boolean wants(EventInfo event) {
        return (source == null || source == event.source())
                && (subject == null || subject.equals(event.subject()))
                && (image == null || image.equals(event.image()))
                && (severity == null || severity == event.severity());
    }

    static int checked(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw ProblemException.badRequest("'limit' is 1 to " + MAX_LIMIT + ", not " + limit);
        }
        return limit;
    }
}

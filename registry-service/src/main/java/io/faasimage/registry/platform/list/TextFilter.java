package io.faasimage.registry.platform.list;

import io.faasimage.registry.platform.problem.ProblemException;
import java.util.Locale;

/** Filters of lists by a text that names contain. */
public final class TextFilter {
    private static final int MAX_QUERY_CHARS = 253;

    private TextFilter() {}

    /**
     * The pattern of {@code LIKE ... ESCAPE '!'} for lower-case text that contains {@code query}; refuses queries that
     * are longer than any name.
     */
    public static String pattern(String query) {
        if (query.length() > MAX_QUERY_CHARS) {
            throw ProblemException.badRequest("a query has at most " + MAX_QUERY_CHARS + " characters");
        }
        String escaped = query.toLowerCase(Locale.ROOT)
                .replace("\0", "")
                .replace("!", "!!")
                .replace("%", "!%")
                .replace("_", "!_");
        return "%" + escaped + "%";
    }
}

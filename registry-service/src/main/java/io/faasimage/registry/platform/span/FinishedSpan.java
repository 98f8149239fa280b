package io.faasimage.registry.platform.span;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A timed step that is over, with the steps within it.
 *
 * @param name of it
 * @param begin of it
 * @param end of it; the begin where a clock that was set back shows less
 * @param attributes texts and {@link Long} numbers by name
 * @param failure why it failed; null when it did not
 * @param children within it
 */
public record FinishedSpan(
        String name,
        Instant begin,
        Instant end,
        Map<String, Object> attributes,
        @Nullable String failure,
        List<FinishedSpan> children) {
    /** Copies the collections, and permits no negative duration. */
    public FinishedSpan {
        end = end.isBefore(begin) ? begin : end;
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        children = List.copyOf(children);
    }

    /** A step without attributes that succeeded and has no steps within it. */
    public FinishedSpan(String name, Instant begin, Instant end) {
        this(name, begin, end, Map.of(), null, List.of());
    }

    /** The number of spans, with those within it. */
    int count() {
        return 1 + children.stream().mapToInt(FinishedSpan::count).sum();
    }
}

package io.faasimage.api.span;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of one span in its trace, as processes hand it on in the header {@value #HEADER} (W3C Trace Context).
 *
 * @param traceId 32 hex digits, not all 0
 * @param spanId 16 hex digits, not all 0
 * @param sampled whether the trace is recorded
 */
public record TraceParent(String traceId, String spanId, boolean sampled) {
    /** The header that has it. */
    public static final String HEADER = "traceparent";

    private static final int LONGEST = 256;
    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final Pattern TRACE = Pattern.compile("(?!0{32})[0-9a-f]{32}");
    private static final Pattern SPAN = Pattern.compile("(?!0{16})[0-9a-f]{16}");

    /** Checks both identifiers. */
    public TraceParent {
        if (!TRACE.matcher(traceId).matches() || !SPAN.matcher(spanId).matches()) {
            throw new IllegalArgumentException("not a trace context: " + traceId + ", " + spanId);
        }
    }

    /** What a header's value says; empty for anything that the standard does not allow. */
    public static Optional<TraceParent> parse(@Nullable String header) {
        if (header == null || header.length() > LONGEST) {
            return Optional.empty();
        }
        Matcher matcher = FORM.matcher(header);
        boolean sound = matcher.matches()
                && !matcher.group(1).equals("ff")
                && !(matcher.group(1).equals("00") && matcher.group(5) != null)
                && TRACE.matcher(matcher.group(2)).matches()
                && SPAN.matcher(matcher.group(3)).matches();
        return sound
                ? Optional.of(new TraceParent(
                        matcher.group(2), matcher.group(3), (Integer.parseInt(matcher.group(4), 16) & 1) == 1))
                : Optional.empty();
    }

    /** The header's value. */
    @Override
    public String toString() {
        return "00-" + traceId + "-" + spanId + (sampled ? "-01" : "-00");
    }
}

package io.faasimage.registry.store.object;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of an object that a {@code Range} header requests (RFC 9110, 14.1.2).
 *
 * @param first byte
 * @param length in bytes, positive
 */
record ByteSpan(long first, long length) {
    private static final Pattern SINGLE = Pattern.compile("bytes=\\s*(\\d{0,18})-(\\d{0,18})\\s*");

    /**
     * The part of {@code size} bytes that {@code header} requests; empty when it is not one range of bytes, which means
     * the whole.
     *
     * @throws ProblemException when nothing of it exists
     */
    static Optional<ByteSpan> parse(String header, long size) {
        Matcher range = SINGLE.matcher(header);
        if (!range.matches() || (range.group(1).isEmpty() && range.group(2).isEmpty())) {
            return Optional.empty();
        }
        if (range.group(1).isEmpty()) {
            long length = Math.min(size, Long.parseLong(range.group(2)));
            return Optional.of(within(size - length, size - 1, size, header));
        }
        long first = Long.parseLong(range.group(1));
        long last = range.group(2).isEmpty() ? size - 1 : Long.parseLong(range.group(2));
        if (!range.group(2).isEmpty() && last < first) {
            return Optional.empty();
        }
        return Optional.of(within(first, Math.min(last, size - 1), size, header));
    }

    private static ByteSpan within(long first, long last, long size, String header) {
        if (first >= size || last < first) {
            throw new ProblemException(
                    ProblemKind.RANGE_NOT_SATISFIABLE,
                    "the object has " + size + " bytes; there is nothing at '" + header + "'");
        }
        return new ByteSpan(first, last - first + 1);
    }
}

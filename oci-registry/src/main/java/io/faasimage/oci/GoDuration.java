package io.faasimage.oci;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as programs in Go write them: {@code 1.5s}, {@code 1m30s}, {@code 300ms}. */
final class GoDuration {
    private static final Pattern PART =
            Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{0,9})?|\\.[0-9]{1,9})(ns|us|µs|μs|ms|s|m|h)");
    private static final Pattern FORM = Pattern.compile("\\+?(?:" + PART + "){1,8}");

    private GoDuration() {}

    /** Parses a time that is not negative; throws {@link IllegalArgumentException} for people. */
    static Duration parse(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (text.length() > 64 || !FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a time such as 300ms, 1.5s or 1m30s");
        }
        BigDecimal nanos = BigDecimal.ZERO;
        Matcher part = PART.matcher(text);
        while (part.find()) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(nanos(part.group(2)))));
        }
        BigDecimal most = BigDecimal.valueOf(Duration.ofDays(1).toNanos());
        return Duration.ofNanos(nanos.min(most).setScale(0, RoundingMode.UP).longValueExact());
    }

    private static long nanos(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> 1_000;
        };
    }
}

package io.faasimage.cli.command;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Spans of time as people write them. */
public final class TimeSpan {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([smhd])");

    private TimeSpan() {}

    /** A number and {@code s}, {@code m}, {@code h} or {@code d}; {@code option} is named when it is none. */
    public static Duration parse(String option, String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(option + " must be a time such as 90m, 12h or 30d, not '" + text + "'");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}

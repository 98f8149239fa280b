package io.faasimage.cli.token;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lifetimes of tokens as people write them. */
final class Lifetime {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([smhd])");

    private Lifetime() {}

    /** A number and {@code s}, {@code m}, {@code h} or {@code d}. */
    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("--expires must be a time such as 90m, 12h or 30d, not '" + text + "'");
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

package io.faasimage.registry.access.page;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers and times for people. */
public final class Figures {
    private static final String[] BYTE_UNITS = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("d MMM uuuu HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private Figures() {}

    /** Bytes with three digits or more: {@code 107.7 MB}. */
    public static String bytes(double bytes) {
        int unit = 0;
        double value = bytes;
        while (Math.abs(value) >= 999.5 && unit < BYTE_UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        int digits = unit == 0 || Math.abs(value) >= 99.95 ? 0 : 1;
        return String.format(Locale.ROOT, "%." + digits + "f\u00a0%s", value, BYTE_UNITS[unit]);
    }

    /** A duration: {@code 276 ms}, {@code 1.05 s}, {@code 3 min 20 s}. */
    public static String millis(double millis) {
        if (millis < 10) {
            return String.format(Locale.ROOT, "%.1f\u00a0ms", millis);
        }
        if (millis < 999.5) {
            return String.format(Locale.ROOT, "%.0f\u00a0ms", millis);
        }
        if (millis < 99_950) {
            return String.format(Locale.ROOT, millis < 9_995 ? "%.2f\u00a0s" : "%.1f\u00a0s", millis / 1000);
        }
        long seconds = Math.round(millis / 1000);
        if (seconds < 3600) {
            return seconds / 60 + "\u00a0min " + seconds % 60 + "\u00a0s";
        }
        return count(seconds / 3600) + "\u00a0h " + seconds % 3600 / 60 + "\u00a0min";
    }

    /** A share of one, in percent. */
    public static String percent(double share) {
        double percent = 100 * share;
        boolean fine = (percent > 0 && percent < 9.95) || (percent > 99 && percent < 99.95);
        return String.format(Locale.ROOT, fine ? "%.1f\u00a0%%" : "%.0f\u00a0%%", percent);
    }

    /** A number with its thousands apart. */
    public static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
    }

    /** {@code one} or {@code many} of a thing, with the number. */
    public static String count(long number, String one, String many) {
        return count(number) + "\u00a0" + (number == 1 ? one : many);
    }

    /** A point in time. */
    public static String time(Instant time) {
        return TIME.format(time);
    }

    /** The time from something to {@code now}. */
    static String ago(Instant time, Instant now) {
        long seconds = Math.max(0, Duration.between(time, now).toSeconds());
        if (seconds < 5) {
            return "just now";
        }
        if (seconds < 60) {
            return seconds + "\u00a0s ago";
        }
        if (seconds < 3600) {
            return seconds / 60 + "\u00a0min ago";
        }
        if (seconds < 86_400) {
            return seconds / 3600 + "\u00a0h ago";
        }
        return seconds / 86_400 + "\u00a0d ago";
    }

    /** The first digits of a digest. */
    public static String shortened(String digest) {
        String hex = digest.startsWith("sha256:") ? digest.substring(7) : digest;
        return hex.length() <= 12 ? hex : hex.substring(0, 12);
    }
}

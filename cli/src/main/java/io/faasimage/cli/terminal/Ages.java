package io.faasimage.cli.terminal;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Human-readable ages and durations. */
public final class Ages {
    private static final double MICROS = 1_000_000;

    private Ages() {}

    /** How long ago {@code then} was, in its largest unit. */
    public static String since(Instant then, Instant now) {
        long seconds = Math.max(0, Duration.between(then, now).toSeconds());
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        if (minutes < 120) {
            return minutes + " min";
        }
        long hours = minutes / 60;
        return hours < 48 ? hours + " h" : hours / 24 + " d";
    }

    /** Seconds with as many digits as say something; "-" when not known. */
    public static String seconds(@Nullable Long micros) {
        if (micros == null) {
            return "-";
        }
        double seconds = micros / MICROS;
        return seconds < 10 ? "%.3f s".formatted(seconds) : "%.1f s".formatted(seconds);
    }
}

package io.faasimage.api.rest;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks of received fields: each rejects a value with a sentence that names the field. Stateless. */
public final class FieldChecks {
    private static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");

    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2199-12-31T23:59:59Z");

    private FieldChecks() {}

    public static void digest(String field, @Nullable String value) {
        if (value != null && !DIGEST.matcher(value).matches()) {
            throw refused(field, "is sha256: and 64 hex digits");
        }
    }

    /** A name that can be a part of a path: of a node, or of an identifier that a node made. */
    public static void name(String field, @Nullable String value) {
        if (value == null || !NAME.matcher(value).matches()) {
            throw refused(
                    field,
                    "has 1 to 253 letters, digits, dots, hyphens or underscores, and begins with one of the"
                            + " first two");
        }
    }

    public static void text(String field, @Nullable String value, int most) {
        if (value != null && (value.length() > most || value.indexOf('\0') >= 0)) {
            throw refused(field, "has at most " + most + " characters, and no NUL");
        }
    }

    public static void range(String field, @Nullable Long value, long most) {
        if (value != null && (value < 0 || value > most)) {
            throw refused(field, "is a number from 0 to " + most);
        }
    }

    /** A moment that every database can hold. */
    public static void moment(String field, @Nullable Instant value) {
        if (value == null || value.isBefore(FIRST) || value.isAfter(LAST)) {
            throw refused(field, "is a moment from " + FIRST + " to " + LAST);
        }
    }

    public static void share(String field, @Nullable Double value) {
        if (value != null && !(value >= 0 && value <= 1)) {
            throw refused(field, "is 0 to 1, not " + value);
        }
    }

    public static void needed(String field, @Nullable Object value) {
        if (value == null) {
            throw refused(field, "is missing");
        }
    }

    public static void atMost(String field, int size, int most) {
        if (size > most) {
            throw refused(field, "has at most " + most + " entries, not " + size);
        }
    }

    /** Later phases do not come before earlier ones; absent ones are not compared. */
    public static void ordered(String field, @Nullable Long... moments) {
        long before = 0;
        for (Long moment : moments) {
            if (moment != null) {
                if (moment < before) {
                    throw refused(field, "has a later phase before an earlier one");
                }
                before = moment;
            }
        }
    }

    public static IllegalArgumentException refused(String field, String rule) {
        return new IllegalArgumentException("'" + field + "' " + rule);
    }
}

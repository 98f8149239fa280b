package io.faasimage.api.token;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A permission of a token. */
public enum Scope {
    /** Read plans and objects as nodes do, and report nodes, starts and traces. */
    NODE,
    /** Register, change and delete functions, and see everything that {@link #VIEW} shows. */
    DEPLOY,
    /** See everything but the contents of files. */
    VIEW,
    /** Everything. */
    ADMIN;

    /** The lower-case name used in REST and on the command line. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The scope of this name, in either case; {@link IllegalArgumentException} when there is none. */
    @JsonCreator
    public static Scope parse(String text) {
        for (Scope scope : values()) {
            if (scope.name().equalsIgnoreCase(text)) {
                return scope;
            }
        }
        throw new IllegalArgumentException("unknown scope '" + text + "'; known are "
                + Arrays.stream(values()).map(Scope::label).collect(Collectors.joining(", ")));
    }
}

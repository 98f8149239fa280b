package io.faasimage.api.image;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The condition on which a function's container starts. */
public enum StartMode {
    /** As soon as the metadata image is there; missing objects are fetched on demand. */
    EARLY,
    /** When the whole prefetch list is there. */
    COMPLETE;

    /** The lower-case name used in REST, in headers and on the command line. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The mode of this name, in either case; {@link IllegalArgumentException} when there is none. */
    @JsonCreator
    public static StartMode parse(String text) {
        for (StartMode mode : values()) {
            if (mode.name().equalsIgnoreCase(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("unknown start mode '" + text + "'; known are early and complete");
    }
}

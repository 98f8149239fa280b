package io.faasimage.api.image;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The handling of the rest of a function's image after its start. */
public enum FillMode {
    /** Only requested objects are fetched. */
    NONE,
    /** The rest of the image is fetched when the node has nothing better to do. */
    IDLE;

    /** The lower-case name used in REST, in headers and on the command line. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The mode of this name, in either case; {@link IllegalArgumentException} when there is none. */
    @JsonCreator
    public static FillMode parse(String text) {
        for (FillMode mode : values()) {
            if (mode.name().equalsIgnoreCase(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("unknown fill mode '" + text + "'; known are none and idle");
    }
}

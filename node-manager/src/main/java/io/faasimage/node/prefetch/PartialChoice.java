package io.faasimage.node.prefetch;

import java.util.Locale;

/** The operator's choice whether large objects are used in parts. */
public enum PartialChoice {
    /** Always whole. */
    NO,
    /** In parts where a plan has pieces. */
    YES,
    /** In parts while the network is slow, as the last pulls showed. */
    AUTO;

    /** The choice named {@code text}; {@link IllegalArgumentException}, for the user, when there is none. */
    public static PartialChoice parse(String text) {
        for (PartialChoice choice : values()) {
            if (choice.name().toLowerCase(Locale.ROOT).equals(text)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("--partial must be yes, no or auto, not '" + text + "'");
    }
}

package io.faasimage.builder.protocol;

import java.util.Objects;

/**
 * A report of what earlier builds left that cannot be removed.
 *
 * @param text with the remedy
 */
public record LeftoversReport(String text) {
    /** Checks that there is one. */
    public LeftoversReport {
        Objects.requireNonNull(text, "text");
    }
}

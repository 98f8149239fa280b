package io.faasimage.builder.protocol;

import java.util.Objects;

/**
 * A request for something to do.
 *
 * @param builder name of the builder, one for each of its starts
 * @param kind what it has a free thread for
 * @param waitMillis how long to wait when there is nothing
 */
public record LeaseRequest(String builder, BuildTask.Kind kind, long waitMillis) {
    private static final int MAX_NAME = 200;

    /** Checks the name, which is in logs. */
    public LeaseRequest {
        Objects.requireNonNull(kind, "kind");
        if (builder.isBlank() || builder.length() > MAX_NAME || builder.chars().anyMatch(c -> c < ' ')) {
            throw new IllegalArgumentException("the name of a builder has 1 to " + MAX_NAME + " visible characters");
        }
    }
}

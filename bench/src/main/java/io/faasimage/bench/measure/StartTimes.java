package io.faasimage.bench.measure;

import java.time.Duration;

/**
 * How long the parts of a start took.
 *
 * @param pull of the image; zero when there was none
 * @param start the command that returns when the container runs
 * @param answer from then to the first right answer
 */
public record StartTimes(Duration pull, Duration start, Duration answer) {
    /** From before the pull to the first right answer. */
    public Duration total() {
        return pull.plus(start).plus(answer);
    }
}

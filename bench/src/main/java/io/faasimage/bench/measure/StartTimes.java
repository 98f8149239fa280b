package io.faasimage.bench.measure;

/**
 * The durations of the parts of a start, in seconds.
 *
 * @param pull of the image; 0 when there was none
 * @param start the command that returns when the container runs
 * @param answer from then to the first right answer
 * @param total from before the pull to the first right answer
 */
public record StartTimes(double pull, double start, double answer, double total) {
    /** The times between four moments of {@link System#nanoTime}. */
    static StartTimes between(long begin, long pulled, long running, long answered) {
        return new StartTimes(
                seconds(pulled - begin),
                seconds(running - pulled),
                seconds(answered - running),
                seconds(answered - begin));
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}

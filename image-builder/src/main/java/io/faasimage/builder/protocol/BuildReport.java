package io.faasimage.builder.protocol;

import io.faasimage.builder.BuildListener.Phase;
import io.faasimage.builder.fault.BuildException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A report of a builder on a build that it has a lease of.
 *
 * @param phase what it does; null before the first one
 * @param done steps of the phase
 * @param total steps of the phase; 0 if not known
 * @param position of {@code output} in all that this attempt printed, bytes
 * @param output what the package manager has printed since, in base64
 * @param end null while it goes on
 */
public record BuildReport(
        @Nullable Phase phase,
        int done,
        int total,
        long position,
        String output,
        @Nullable End end) {
    /** Most bytes of {@code output}. */
    public static final int MAX_OUTPUT = 64 << 10;

    private static final int MAX_ERROR = 128 << 10;

    /**
     * How it ended: with a manifest, without anything for a check that found nothing, or with an error.
     *
     * @param manifest digest of the image that was pushed
     * @param kind who has to do what about the error; null when it is none of a build's, such as an image registry's
     * @param error why it failed
     */
    public record End(
            @Nullable String manifest,
            BuildException.@Nullable Kind kind,
            @Nullable String error) {
        /** An end with an error that is none of a build's. */
        public static End failed(String error) {
            return new End(null, null, error);
        }

        /** Cuts an error that is too long. */
        public End {
            error = error != null && error.length() > MAX_ERROR ? error.substring(0, MAX_ERROR) + "..." : error;
        }
    }

    /** Checks the numbers and the output. */
    public BuildReport {
        if (position < 0 || Base64.getDecoder().decode(output).length > MAX_OUTPUT || done < 0 || total < 0) {
            throw new IllegalArgumentException("the numbers of a builder's report are out of range");
        }
    }

    /** A report with these bytes of output. */
    public static BuildReport of(
            @Nullable Phase phase, int done, int total, long position, byte[] output, @Nullable End end) {
        return new BuildReport(phase, done, total, position, Base64.getEncoder().encodeToString(output), end);
    }

    /** The bytes of the output. */
    public byte[] printed() {
        return Base64.getDecoder().decode(output);
    }

    /**
     * The answer to a report.
     *
     * @param position up to which the service has the output
     */
    public record Answer(long position) {}
}

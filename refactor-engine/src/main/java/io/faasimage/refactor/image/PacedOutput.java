package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A stream for a pulled blob with a minimum rate: it abandons a registry that sends just enough bytes to avoid read
 * timeouts. Only the time in which the registry is waited for counts. Not thread-safe.
 */
final class PacedOutput extends FilterOutputStream {
    /** A layer of a gigabyte at this rate takes 18 hours: a registry this slow is broken. */
    static final long BYTES_PER_SECOND = 16 << 10;

    static final Duration WINDOW = Duration.ofSeconds(30);

    private final String what;
    private final LongSupplier nanos;
    private long waitingSince;
    private long waited;
    private long bytes;

    /** Writes to {@code out} what a message calls {@code what}. */
    PacedOutput(OutputStream out, String what, LongSupplier nanos) {
        super(out);
        this.what = what;
        this.nanos = nanos;
        this.waitingSince = nanos.getAsLong();
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
        waited += nanos.getAsLong() - waitingSince;
        bytes += length;
        if (waited >= WINDOW.toNanos()) {
            if (bytes < BYTES_PER_SECOND * WINDOW.toSeconds()) {
                throw new RefactorException(
                        Kind.UNAVAILABLE,
                        what + " arrived too slowly: " + bytes + " bytes in "
                                + Duration.ofNanos(waited).toSeconds() + " s, less than " + BYTES_PER_SECOND
                                + " bytes a second");
            }
            waited = 0;
            bytes = 0;
        }
        out.write(buffer, offset, length);
        waitingSince = nanos.getAsLong();
    }
}

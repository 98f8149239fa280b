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
    static final Duration WINDOW = Duration.ofSeconds(30);

    private final String what;
    private final long bytesPerSecond;
    private final LongSupplier nanos;
    private long waitingSince;
    private long waited;
    private long bytes;

    /** Writes to {@code out} data that must arrive at this rate; messages call it {@code what}. */
    PacedOutput(OutputStream out, String what, long bytesPerSecond, LongSupplier nanos) {
        super(out);
        this.bytesPerSecond = bytesPerSecond;
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
            if (bytes < bytesPerSecond * WINDOW.toSeconds()) {
                throw new RefactorException(
                        Kind.SLOW,
                        what + " arrived too slowly: " + bytes + " bytes in "
                                + Duration.ofNanos(waited).toSeconds() + " s, less than " + bytesPerSecond
                                + " bytes a second; --faasimage.budget.rate is the least of a blob");
            }
            waited = 0;
            bytes = 0;
        }
        out.write(buffer, offset, length);
        waitingSince = nanos.getAsLong();
    }
}

package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.stream.Deadline;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;

/**
 * A stream of a pulled blob with a limit of the time before its first byte: a registry can fill it with redirections,
 * log-ins and headers that arrive byte by byte, each within the read timeout. The thread that pulls must be a virtual
 * one. For one thread.
 */
final class SilentStart extends FilterOutputStream {
    /** Longer than the read timeout, which ends the wait for a registry that is silent. */
    static final Duration LIMIT = Duration.ofMinutes(1);

    private final String what;
    private final Duration limit;
    private final Deadline deadline;

    /** Passes data on to {@code out}; messages call it {@code what}; the time begins now. */
    SilentStart(OutputStream out, String what, Duration limit) {
        super(out);
        this.what = what;
        this.limit = limit;
        this.deadline = Deadline.in(limit);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] buffer, int offset, int length) throws IOException {
        deadline.end();
        out.write(buffer, offset, length);
    }

    /** Ends the time, in which the pull did not fail. */
    void end() {
        deadline.end();
    }

    /** Why the pull failed: with {@code cause}, or since it took too long. */
    IOException failure(IOException cause) {
        return deadline.end()
                ? new RefactorException(
                        Kind.SLOW,
                        "the registry sent nothing of " + what + " within " + limit.toSeconds()
                                + " s, only redirections or headers",
                        cause)
                : cause;
    }
}

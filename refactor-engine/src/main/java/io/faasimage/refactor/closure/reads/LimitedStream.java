package io.faasimage.refactor.closure.reads;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream that ends where the budget of many streams is used up. Skipped bytes count, as they are uncompressed. */
final class LimitedStream extends FilterInputStream {
    private final Budget budget;

    /** The bytes that may still be read. */
    static final class Budget {
        private long left;
        private boolean exceeded;

        Budget(long bytes) {
            this.left = bytes;
        }

        /** The bytes that may still be read. */
        long left() {
            return left;
        }

        /** Counts bytes that need not be read again; false, and none counted, when a stream of them might end early. */
        boolean take(long bytes) {
            if (bytes >= left) {
                return false;
            }
            left -= bytes;
            return true;
        }

        /** Whether a stream ended early. */
        boolean isExceeded() {
            return exceeded;
        }
    }

    LimitedStream(InputStream in, Budget budget) {
        super(in);
        this.budget = budget;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (budget.left == 0 && length > 0) {
            budget.exceeded = true;
            return -1;
        }
        int n = in.read(target, offset, (int) Math.min(length, budget.left));
        budget.left -= Math.max(n, 0);
        return n;
    }

    @Override
    public long skip(long n) throws IOException {
        long skipped = in.skip(Math.min(n, budget.left));
        budget.left -= skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}

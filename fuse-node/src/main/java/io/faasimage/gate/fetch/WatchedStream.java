package io.faasimage.gate.fetch;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.IntConsumer;

/** A stream that reports when bytes have arrived. */
final class WatchedStream extends FilterInputStream {
    private final IntConsumer onBytes;

    WatchedStream(InputStream in, IntConsumer onBytes) {
        super(in);
        this.onBytes = onBytes;
    }

    @Override
    public int read() throws IOException {
        int value = super.read();
        if (value >= 0) {
            onBytes.accept(1);
        }
        return value;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int count = super.read(buffer, offset, length);
        if (count > 0) {
            onBytes.accept(count);
        }
        return count;
    }
}

package io.faasimage.store;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;

/** A source that gives few bytes at a time and, on request, fails after some. */
final class FaultyStream extends FilterInputStream {
    private final int most;
    private final long failAfter;
    private final Event beforeFailure;
    private long given;

    private FaultyStream(byte[] content, int most, long failAfter, Event beforeFailure) {
        super(new ByteArrayInputStream(content));
        this.most = most;
        this.failAfter = failAfter;
        this.beforeFailure = beforeFailure;
    }

    static FaultyStream shortReads(byte[] content) {
        return new FaultyStream(content, 7, Long.MAX_VALUE, () -> {});
    }

    static FaultyStream failingAfter(byte[] content, long bytes) {
        return new FaultyStream(content, Integer.MAX_VALUE, bytes, () -> {});
    }

    /** Fails on the first read, after {@code event}. */
    static FaultyStream failingOn(Event event) {
        return new FaultyStream(new byte[1], 1, 0, event);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (given >= failAfter) {
            try {
                beforeFailure.happen();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("injected: the connection was reset");
        }
        int n = super.read(target, offset, (int) Math.min(Math.min(length, most), failAfter - given));
        given += Math.max(n, 0);
        return n;
    }

    /** Something to wait for. */
    @FunctionalInterface
    interface Event {
        void happen() throws InterruptedException;
    }
}

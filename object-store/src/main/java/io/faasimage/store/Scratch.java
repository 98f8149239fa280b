package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.security.MessageDigest;
import java.util.concurrent.ArrayBlockingQueue;

/** A buffer and a hasher for one write at a time, reused between writes. */
final class Scratch {
    final byte[] buffer;
    final MessageDigest sha256 = Digest.newSha256();

    private Scratch(int bytes) {
        this.buffer = new byte[bytes];
    }

    /** The digest of everything given to {@link #sha256}; resets it. */
    Digest digest() {
        return Digest.ofBytes(sha256.digest());
    }

    /** Lends scratches to writers; keeps a bounded number. Thread-safe. */
    static final class Pool {
        private final ArrayBlockingQueue<Scratch> idle;
        private final int bytes;

        Pool(StoreLimits limits) {
            this.idle = new ArrayBlockingQueue<>(limits.idleBuffers());
            this.bytes = limits.bufferBytes();
        }

        Scratch take() {
            Scratch scratch = idle.poll();
            return scratch == null ? new Scratch(bytes) : scratch;
        }

        void giveBack(Scratch scratch) {
            scratch.sha256.reset();
            if (!idle.offer(scratch)) {
                // Enough are kept already: this one is left to the collector.
                return;
            }
        }
    }
}

package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.object.StoreException;
import io.faasimage.store.object.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A writer of objects: each goes into a temporary file and is hashed meanwhile, then linked to its name if digest and
 * size are right. A link never replaces a file, so an object keeps the inode, and with it the page cache, that it got
 * first, whichever process was first. Thread-safe.
 *
 * <p>The system calls of one object: open, one write per buffer, close, rename, link; an unlink at the next checkpoint.
 */
final class ObjectWriter {
    private final Incoming incoming;
    private final StoreLimits limits;
    private final Scratch.Pool scratches;
    /** Threads that write objects now. */
    private final AtomicInteger writers = new AtomicInteger();

    ObjectWriter(Incoming incoming, StoreLimits limits, Scratch.Pool scratches) {
        this.incoming = incoming;
        this.limits = limits;
        this.scratches = scratches;
    }

    /** Checks a size that a caller gave. */
    static void checkSize(long size) {
        if (size < 0 && size != ObjectStore.UNKNOWN_SIZE) {
            throw new IllegalArgumentException("negative size: " + size);
        }
    }

    Publication write(Digest digest, long size, InputStream raw) throws IOException {
        if (size > limits.maxObjectBytes()) {
            throw tooLarge(digest);
        }
        Scratch scratch = scratches.take();
        writers.incrementAndGet();
        try (ObjectOutput out = new ObjectOutput(digest, incoming)) {
            long bytes;
            try (WriteBehind behind = new WriteBehind(out, scratch, scratches, writers)) {
                bytes = copy(digest, size, raw, behind, scratch.buffer);
            }
            checkDigest(digest, scratch.digest());
            return out.publish(bytes);
        } finally {
            writers.decrementAndGet();
            scratches.giveBack(scratch);
        }
    }

    Publication write(Digest digest, ByteBuffer raw) throws IOException {
        if (raw.remaining() > limits.maxObjectBytes()) {
            throw tooLarge(digest);
        }
        writers.incrementAndGet();
        try {
            checkDigest(digest, digest(raw));
            try (ObjectOutput out = new ObjectOutput(digest, incoming)) {
                out.put(raw.duplicate());
                return out.publish(raw.remaining());
            }
        } finally {
            writers.decrementAndGet();
        }
    }

    private Digest digest(ByteBuffer raw) {
        Scratch scratch = scratches.take();
        try {
            scratch.sha256.update(raw.duplicate());
            return scratch.digest();
        } finally {
            scratches.giveBack(scratch);
        }
    }

    private long copy(Digest digest, long size, InputStream raw, WriteBehind out, byte[] first) throws IOException {
        long most = size == ObjectStore.UNKNOWN_SIZE ? limits.maxObjectBytes() : size;
        long written = 0;
        byte[] buffer = first;
        for (int n = fill(raw, buffer); n > 0; n = fill(raw, buffer)) {
            written += n;
            if (written > most) {
                throw new StoreException(
                        Kind.WRONG_CONTENT,
                        "object " + digest + " is longer than its " + most + " bytes; fetch it again");
            }
            buffer = out.write(buffer, n);
        }
        out.finish();
        if (size != ObjectStore.UNKNOWN_SIZE && written != size) {
            throw new StoreException(
                    Kind.WRONG_CONTENT,
                    "object " + digest + " ended after " + written + " of " + size + " bytes; fetch it again");
        }
        return written;
    }

    private static int fill(InputStream raw, byte[] buffer) throws IOException {
        return raw.readNBytes(buffer, 0, buffer.length);
    }

    private static void checkDigest(Digest expected, Digest actual) throws StoreException {
        if (!actual.equals(expected)) {
            throw new StoreException(
                    Kind.WRONG_CONTENT,
                    "the content given for object " + expected + " has digest " + actual
                            + "; it was damaged in transit or at its source, fetch it again");
        }
    }

    private StoreException tooLarge(Digest digest) {
        return new StoreException(
                Kind.WRONG_CONTENT, "object " + digest + " is larger than " + limits.maxObjectBytes() + " bytes");
    }
}

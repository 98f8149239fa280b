package io.faasimage.gate.partial;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PieceMap;
import io.faasimage.gate.fetch.FetchOutcome;
import io.faasimage.gate.fetch.ObjectFetcher;
import io.faasimage.store.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;

/**
 * A large object as a file. Its bytes come from the object where the store has it, else from its pieces, which are
 * fetched when they are missing. Thread-safe; a reader waits for a fetch.
 */
final class PartialFile {
    /** A piece may be evicted again before it is read. */
    private static final int ATTEMPTS = 3;

    private final PieceMap map;
    private final ObjectStore store;
    private final ObjectFetcher fetcher;

    PartialFile(PieceMap map, ObjectStore store, ObjectFetcher fetcher) {
        this.map = map;
        this.store = store;
        this.fetcher = fetcher;
    }

    long size() {
        return map.size();
    }

    /**
     * All of the {@code length} bytes from {@code offset} on, as far as the file has them.
     *
     * @throws IOException when some of them cannot be fetched; never fewer bytes, which a loop device would take for
     *     zeros
     */
    byte[] read(long offset, int length) throws IOException {
        int count = Math.clamp(map.size() - offset, 0, length);
        byte[] bytes = new byte[count];
        if (count > 0 && !isRead(map.object(), offset, ByteBuffer.wrap(bytes))) {
            for (PieceMap.Part part : map.parts(offset, count)) {
                read(part, ByteBuffer.wrap(bytes, (int) (part.offset() - offset), (int) part.length()));
            }
        }
        return bytes;
    }

    private void read(PieceMap.Part part, ByteBuffer target) throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            if (isRead(part.piece(), part.pieceOffset(), target)) {
                return;
            }
            if (fetcher.fetch(part.piece()) instanceof FetchOutcome.Failed(String reason)) {
                // The whole object may have come meanwhile.
                if (isRead(map.object(), part.offset(), target)) {
                    return;
                }
                throw new IOException(reason);
            }
        }
        throw new IOException("piece " + part.piece() + " of object " + map.object()
                + " was evicted again and again before it was read");
    }

    /** Fills {@code target} from an object; false when the store does not have it. */
    private boolean isRead(Digest object, long position, ByteBuffer target) throws IOException {
        if (!store.has(object)) {
            return false;
        }
        ByteBuffer into = target.duplicate();
        try (FileChannel file = store.open(object)) {
            for (long at = position; into.hasRemaining(); ) {
                int n = file.read(into, at);
                if (n <= 0) {
                    throw new EOFException("object " + object + " ends before " + (at + into.remaining()));
                }
                at += n;
            }
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }
}

package io.faasimage.refactor.spool;

import io.faasimage.format.id.Digest;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** A writer that hashes the contents of one layer and puts new ones into the spool. For one thread. */
public final class SpoolWriter implements Closeable {
    private static final int BUFFER = 256 << 10;

    private final Spool spool;
    private final FrameFile large;
    private final byte[] buffer = new byte[BUFFER];
    private final MessageDigest hash = Digest.newSha256();
    private @Nullable SpoolBatch batch;
    private @Nullable FrameStream frames;

    SpoolWriter(Spool spool, FrameFile large) {
        this.spool = spool;
        this.large = large;
    }

    /**
     * Hashes all of {@code in}, and keeps it when it has the expected size and is new.
     *
     * @param size that is expected, in bytes; the kept content has this size
     * @param level of zstd
     * @return digest and size of the data; another size than the expected one is for the caller to refuse
     */
    public Spool.Stored add(InputStream in, long size, int level) throws IOException {
        hash.reset();
        return size <= SpoolBatch.BYTES ? addSmall(in, (int) size, level) : addLarge(in, size, level);
    }

    private Spool.Stored addSmall(InputStream in, int size, int level) throws IOException {
        SpoolBatch room = roomFor(size);
        int n = in.readNBytes(room.bytes(), room.end(), size);
        hash.update(room.bytes(), room.end(), n);
        int more = more(in);
        Digest digest = Digest.ofBytes(hash.digest());
        if (n == size && more == 0 && size > 0 && spool.claim(digest)) {
            room.add(digest, size, level);
        }
        return new Spool.Stored(digest, n + more);
    }

    private SpoolBatch roomFor(int size) throws IOException {
        if (batch != null && !batch.hasRoom(size)) {
            flush();
        }
        SpoolBatch room = batch == null ? spool.batch() : batch;
        batch = room;
        return room;
    }

    private Spool.Stored addLarge(InputStream in, long size, int level) throws IOException {
        FrameStream frame = large();
        frame.begin(level);
        long done = 0;
        while (done < size) {
            int n = in.read(buffer, 0, (int) Math.min(BUFFER, size - done));
            if (n < 0) {
                return new Spool.Stored(Digest.ofBytes(hash.digest()), done);
            }
            hash.update(buffer, 0, n);
            frame.write(buffer, 0, n);
            done += n;
        }
        done += more(in);
        Digest digest = Digest.ofBytes(hash.digest());
        if (done == size && !spool.isClaimed(digest) && !spool.isHeld(digest) && spool.claim(digest)) {
            spool.put(frame.finish(digest, size, level));
        }
        return new Spool.Stored(digest, done);
    }

    private FrameStream large() {
        FrameStream stream = frames == null ? new FrameStream(large) : frames;
        frames = stream;
        return stream;
    }

    /** The number of bytes beyond the expected size, or of some of them. */
    private int more(InputStream in) throws IOException {
        return Math.max(0, in.read(buffer, 0, BUFFER));
    }

    /** Submits the contents that are not yet being compressed. */
    public void flush() throws IOException {
        SpoolBatch full = batch;
        batch = null;
        if (full != null) {
            spool.submit(full);
        }
    }

    @Override
    public void close() {
        if (batch != null) {
            spool.giveBack(batch);
        }
        if (frames != null) {
            frames.close();
        }
    }
}

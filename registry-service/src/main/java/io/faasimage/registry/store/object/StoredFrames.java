package io.faasimage.registry.store.object;

import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobsDownException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A reader of the zstd frames of stored objects for one request. A blob that is missing or too short is a
 * {@link ProblemKind#STORAGE} problem. Not thread-safe.
 */
public final class StoredFrames {
    private static final int BUFFER_BYTES = 256 * 1024;

    private final BlobStore blobs;
    private final Consumer<StoredObject> badFrames;

    /** Reads frames and their raw forms; {@code badFrames} receives a frame that cannot be decompressed. */
    public StoredFrames(BlobStore blobs, Consumer<StoredObject> badFrames) {
        this.blobs = blobs;
        this.badFrames = badFrames;
    }

    /** Fails unless the blobs of all these objects are there and long enough. */
    public static void check(BlobStore blobs, Collection<StoredObject> objects) {
        Map<Blob, Long> ends = new HashMap<>();
        objects.forEach(object -> ends.merge(object.blob(), object.end(), Math::max));
        ends.forEach((blob, end) -> {
            long size;
            try {
                size = blobs.size(blob);
            } catch (IOException e) {
                throw problem(blob, e);
            }
            if (size < end) {
                throw damaged(blob, "it has " + size + " bytes and should have at least " + end);
            }
        });
    }

    /** Whether the object's blob is there and long enough. */
    public static boolean isThere(BlobStore blobs, StoredObject object) {
        try {
            return blobs.size(object.blob()) >= object.end();
        } catch (BlobsDownException e) {
            throw e.problem();
        } catch (IOException e) {
            return false;
        }
    }

    static ProblemException damaged(Blob blob, String reason) {
        return new ProblemException(
                ProblemKind.STORAGE,
                "stored file " + blob.name() + " is damaged: " + reason
                        + "; restore it, or POST /v1/images/{digest}/refactor to make it again");
    }

    /** The problem of a request for which a blob could not be read. */
    public static ProblemException problem(Blob blob, IOException e) {
        return e instanceof BlobsDownException down ? down.problem() : damaged(blob, "it cannot be read (" + e + ")");
    }

    /**
     * Copies an object's frame to {@code out}.
     *
     * @throws ProblemException when it cannot be read from the blob
     * @throws IOException when {@code out} does not take it
     */
    public void copy(StoredObject object, OutputStream out) throws IOException {
        byte[] piece = new byte[(int) Math.min(BUFFER_BYTES, object.storedLength())];
        try (FrameStream frame = open(object)) {
            for (int n = frame.read(piece); n >= 0; n = frame.read(piece)) {
                out.write(piece, 0, n);
            }
        }
    }

    /**
     * Copies a part of an object's raw form to {@code out}.
     *
     * @param skip raw bytes before the part
     * @param length of the part
     * @throws ProblemException when it cannot be read from the frame
     * @throws IOException when {@code out} does not take it
     */
    public void copyRaw(StoredObject object, long skip, long length, OutputStream out) throws IOException {
        try (ZstdInputStream raw = new ZstdInputStream(open(object))) {
            byte[] piece = new byte[Math.clamp(skip + length, 1, BUFFER_BYTES)];
            long position = 0;
            while (position < skip + length) {
                int n = decompress(raw, piece, (int) Math.min(piece.length, skip + length - position), object);
                int from = Math.clamp(skip - position, 0, n);
                out.write(piece, from, n - from);
                position += n;
            }
        }
    }

    /**
     * The raw form of an object, from its beginning; its digest is not verified.
     *
     * @throws ProblemException here and while it is read, when it cannot be read from the frame
     */
    public InputStream openRaw(StoredObject object) throws IOException {
        return new ZstdInputStream(open(object));
    }

    private int decompress(ZstdInputStream raw, byte[] piece, int limit, StoredObject object) {
        try {
            int n = raw.read(piece, 0, limit);
            if (n <= 0) {
                badFrames.accept(object);
                throw damaged(object.blob(), "object " + object.digest() + " in it is cut off");
            }
            return n;
        } catch (IOException e) {
            badFrames.accept(object);
            throw damaged(object.blob(), "object " + object.digest() + " in it cannot be decompressed (" + e + ")");
        }
    }

    private FrameStream open(StoredObject object) {
        try {
            return new FrameStream(object, blobs.read(object.blob(), object.offset(), object.storedLength()));
        } catch (IOException e) {
            throw problem(object.blob(), e);
        }
    }

    /** One frame; a failure of the blob is a problem, so that it is not taken for a bad frame. */
    private static final class FrameStream extends FilterInputStream {
        private final StoredObject object;
        private long left;

        FrameStream(StoredObject object, InputStream in) {
            super(in);
            this.object = object;
            this.left = object.storedLength();
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target) {
            return read(target, 0, target.length);
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (left == 0) {
                return -1;
            }
            try {
                int n = in.read(target, offset, (int) Math.min(length, left));
                if (n <= 0) {
                    throw damaged(
                            object.blob(),
                            "it ends at " + (object.end() - left) + " and should end at or after " + object.end());
                }
                left -= n;
                return n;
            } catch (IOException e) {
                throw problem(object.blob(), e);
            }
        }
    }
}

package io.faasimage.registry.images.job;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.registry.images.image.LayerIndexes;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobTable;
import io.faasimage.registry.store.blob.BlobsDownException;
import io.faasimage.registry.store.object.ObjectFrameTables;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredContents;
import io.faasimage.registry.store.object.StoredFrames;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The stored packs as one job sees them: the length of each is looked up once, and from then on the pack is no garbage.
 * Thread-safe.
 */
final class StoredPacks implements Holdings {
    private final ObjectTable objects;
    private final BlobStore blobs;
    private final BlobTable known;
    private final LayerIndexes indexes;
    private final ObjectFrameTables frames;
    private final boolean empty;
    private final Map<Blob, Long> lengths = new ConcurrentHashMap<>();
    private final StoredContents contents;

    StoredPacks(ObjectTable objects, BlobStore blobs, BlobTable known, LayerIndexes indexes, ObjectFrameTables frames) {
        this.frames = frames;
        this.objects = objects;
        this.blobs = blobs;
        this.known = known;
        this.indexes = indexes;
        this.empty = objects.isEmpty();
        this.contents = new StoredContents(objects, blobs);
    }

    @Override
    public Set<Digest> held(Collection<Digest> digests) {
        Set<Digest> held = new HashSet<>();
        if (!empty) {
            objects.find(digests).forEach((digest, object) -> {
                if (length(object.blob()) >= object.end()) {
                    held.add(digest);
                }
            });
        }
        return held;
    }

    private long length(Blob pack) {
        return lengths.computeIfAbsent(pack, blob -> {
            known.protect(List.of(blob));
            try {
                return blobs.size(blob);
            } catch (BlobsDownException e) {
                throw e.problem();
            } catch (IOException e) {
                // An unreadable content is not held, and is packed again.
                return -1L;
            }
        });
    }

    @Override
    public Map<Digest, ObjectFrames> frames(Collection<Digest> digests) throws IOException {
        return frames.of(digests);
    }

    @Override
    public byte[] content(Digest digest) throws RefactorException {
        try {
            return contents.read(digest);
        } catch (ProblemException | IOException e) {
            throw notHeld(digest, e);
        }
    }

    @Override
    public void copy(Digest digest, OutputStream out) throws RefactorException {
        try {
            contents.copy(digest, out);
        } catch (ProblemException | IOException e) {
            throw notHeld(digest, e);
        }
    }

    @Override
    public InputStream open(Digest digest) throws IOException {
        try {
            return new RawObject(digest, contents.open(digest));
        } catch (ProblemException | IOException e) {
            throw notHeld(digest, e);
        }
    }

    /** A stored object while it is read; a failure is reported as for one that is read at once. */
    private static final class RawObject extends FilterInputStream {
        private final Digest digest;

        RawObject(Digest digest, InputStream in) {
            super(in);
            this.digest = digest;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            try {
                return in.read(target, offset, length);
            } catch (ProblemException | IOException e) {
                throw notHeld(digest, e);
            }
        }

        @Override
        public long skip(long n) throws IOException {
            try {
                return in.skip(n);
            } catch (ProblemException | IOException e) {
                throw notHeld(digest, e);
            }
        }
    }

    private static RefactorException notHeld(Digest digest, Exception cause) {
        return new RefactorException(
                RefactorException.Kind.UNAVAILABLE,
                "object " + digest + ", which was stored, cannot be read: " + cause.getMessage()
                        + "; the next attempt reads it from the image",
                cause);
    }

    @Override
    public boolean holdsMetadata(Digest metadata) {
        known.protect(List.of(Blob.metadata(metadata)));
        return objects.metadata(metadata)
                .filter(stored -> StoredFrames.isThere(blobs, stored))
                .isPresent();
    }

    @Override
    public Optional<byte[]> layerIndex(Digest blob) throws IOException {
        return indexes.find(blob);
    }
}

package io.faasimage.registry.store.object;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.blob.BlobStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;

/**
 * A reader of the verified contents of stored objects and metadata images. An object that turns out to
 * be damaged is forgotten, so that the next refactoring packs it again. Not thread-safe.
 */
public final class StoredContents {
    private static final int MAX_BUFFER = 32 << 20;

    private final ObjectTable objects;
    private final StoredFrames frames;

    /** Reads the blobs that {@code objects} names. */
    public StoredContents(ObjectTable objects, BlobStore blobs) {
        this.objects = objects;
        this.frames = new StoredFrames(blobs, objects::forget);
    }

    /**
     * The content.
     *
     * @throws io.faasimage.registry.platform.problem.ProblemException when its blob cannot be read
     * @throws IOException when no row of the database names it, or its bytes have another digest
     */
    public byte[] read(Digest digest) throws IOException {
        StoredObject object = find(digest);
        ByteArrayOutputStream content = new ByteArrayOutputStream((int) Math.min(object.rawSize(), MAX_BUFFER));
        copy(object, content);
        return content.toByteArray();
    }

    /**
     * Writes the content of an object of any size to {@code out}; after a failure, the written bytes must be discarded.
     */
    public void copy(Digest digest, OutputStream out) throws IOException {
        copy(find(digest), out);
    }

    /** The content from its beginning, to look into it: its digest is not verified. */
    public InputStream open(Digest digest) throws IOException {
        return frames.openRaw(find(digest));
    }

    private StoredObject find(Digest digest) throws IOException {
        return objects.find(digest).orElseThrow(() -> new IOException("no row of the database names object " + digest));
    }

    private void copy(StoredObject object, OutputStream out) throws IOException {
        DigestOutputStream hashed = new DigestOutputStream(out, Digest.newSha256());
        frames.copyRaw(object, 0, object.rawSize(), hashed);
        if (!Digest.ofBytes(hashed.getMessageDigest().digest()).equals(object.digest())) {
            objects.forget(object);
            throw new IOException("the content of object " + object.digest() + " has another digest");
        }
    }
}

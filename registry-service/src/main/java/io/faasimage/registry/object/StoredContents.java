package io.faasimage.registry.object;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.blob.BlobStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/**
 * A reader of the whole, verified contents of small stored objects and of metadata images. An object that turns out to
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
     * @throws io.faasimage.registry.problem.ProblemException when its blob cannot be read
     * @throws IOException when no row of the database names it, or its bytes have another digest
     */
    public byte[] read(Digest digest) throws IOException {
        StoredObject object = objects.find(digest)
                .orElseThrow(() -> new IOException("no row of the database names object " + digest));
        ByteArrayOutputStream content = new ByteArrayOutputStream((int) Math.min(object.rawSize(), MAX_BUFFER));
        frames.copyRaw(object, 0, object.rawSize(), content);
        byte[] bytes = content.toByteArray();
        if (!Digest.of(bytes).equals(digest)) {
            objects.forget(object);
            throw new IOException("the content of object " + digest + " has another digest");
        }
        return bytes;
    }
}

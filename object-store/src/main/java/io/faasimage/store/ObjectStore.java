package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * Content-addressed objects below one directory, written by several threads of several processes. An object is visible
 * under its name only when it is whole and its content has its digest; it is never changed or written twice.
 *
 * <p>Thread-safe and blocking. Two threads of one process that publish the same object take turns, and the second
 * finds it present; two processes may both write it, and the first to finish wins. Nothing is flushed per object:
 * {@link #checkpoint} flushes all. After a crash of the machine, objects published since the last checkpoint are hidden
 * until they are verified: when they are requested, or by {@link #verifySuspects}.
 */
public final class ObjectStore implements AutoCloseable {
    /** For content of which only the digest is known. */
    public static final long UNKNOWN_SIZE = -1;

    /** How many parts {@link #forEach(int, Consumer)} shows the objects in. */
    public static final int PARTS = Layout.SHARDS;

    private final ObjectFiles files;
    private final WriterLock writerLock;
    private final ObjectWriter objects;
    private final ObjectTurns turns = new ObjectTurns();

    private ObjectStore(ObjectFiles files, ObjectWriter objects, WriterLock writerLock) {
        this.files = files;
        this.objects = objects;
        this.writerLock = writerLock;
    }

    /**
     * Opens the store at {@code root}, making it when it is not there.
     *
     * @param writer names this process among those that use the store: lower-case letters, digits and dashes
     * @throws StoreException of kind {@link Kind#IN_USE} when another process has it open under that name
     */
    public static ObjectStore open(Path root, String writer) throws IOException {
        return open(root, writer, StoreLimits.DEFAULT, Boot.current());
    }

    static ObjectStore open(Path root, String writer, StoreLimits limits, Boot boot) throws IOException {
        WriterLock.check(writer);
        Layout layout = new Layout(root);
        layout.create();
        WriterLock lock = WriterLock.take(layout, writer);
        try {
            ObjectFiles files = ObjectFiles.open(layout, writer, limits, boot);
            return new ObjectStore(files, new ObjectWriter(files, limits, new Scratch.Pool(limits)), lock);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** The directory of the store. */
    public Path root() {
        return files.root();
    }

    /**
     * Has the kernel read the directories that objects are looked for and made in: after a while without starts they
     * may have left the memory, and reading them one by one takes some 0.1 ms each.
     */
    public void touch() {
        files.touch();
    }

    /** Whether the object is present. */
    public boolean has(Digest digest) {
        return files.has(digest);
    }

    /** Where the object lies, or would. One that a crash may have damaged is verified now. */
    public Path path(Digest digest) {
        return files.verified(digest);
    }

    /**
     * Opens an object for reading.
     *
     * @throws NoSuchFileException when it is not present
     */
    public FileChannel open(Digest digest) throws IOException {
        return FileChannel.open(path(digest), StandardOpenOption.READ);
    }

    /**
     * Publishes an object from its raw content. The content is not read when the object is present already.
     *
     * @param size in bytes, or {@link #UNKNOWN_SIZE}
     * @param raw read to its end, not closed
     * @throws StoreException when the content is wrong or the disk fails; nothing is left behind
     * @throws IOException unchanged from {@code raw}
     */
    public Publication publish(Digest digest, long size, InputStream raw) throws IOException {
        ObjectWriter.checkSize(size);
        return once(digest, () -> objects.write(digest, size, raw));
    }

    /** Publishes an object whose raw content is the remaining bytes of {@code raw}, which is left as it is. */
    public Publication publish(Digest digest, ByteBuffer raw) throws IOException {
        return once(digest, () -> objects.write(digest, raw));
    }

    /** As {@link #publish(Digest, long, InputStream)}, and {@link #makeLate}. */
    public Publication publishLate(Digest digest, long size, InputStream raw) throws IOException {
        Publication publication = publish(digest, size, raw);
        makeLate(digest);
        return publication;
    }

    /**
     * Makes a present object visible under {@code late/} too, for a look-up that has passed {@code objects/} already.
     *
     * @return false when it is not present
     */
    public boolean makeLate(Digest digest) throws IOException {
        return files.makeLate(digest);
    }

    /**
     * Drops an object; readers that have it open can read on.
     *
     * @return the bytes it had; 0 when it was not present
     */
    public long drop(Digest digest) throws IOException {
        return turns.take(digest, () -> files.drop(digest));
    }

    /**
     * Shows the objects of one part to {@code visitor}; objects that come or go meanwhile may be missed or shown.
     *
     * @param part the first byte of their digests
     */
    public void forEach(int part, Consumer<StoredObject> visitor) throws IOException {
        files.forEach(part, visitor);
    }

    /** The number and size of all present objects. Cheap when little has changed since the last call. */
    public Usage usage() throws IOException {
        return files.usage();
    }

    /**
     * Flushes everything published so far, by any process, to the disk, and notes that it is there. Returns whether
     * there was anything.
     */
    public boolean checkpoint() throws IOException {
        return files.checkpoint();
    }

    /** Whether a crash of the machine left objects that are not verified yet. */
    public boolean hasSuspects() {
        return files.suspects().areHere();
    }

    /**
     * Verifies the objects that were not known to be on the disk when the machine went down. Other calls may continue
     * meanwhile; one that requests such an object verifies it itself.
     *
     * @param pause awaited before each object
     */
    public Verified verifySuspects(Pause pause) throws IOException {
        return files.suspects().verifyAll(pause);
    }

    /** Releases the writer's name. Does not flush. */
    @Override
    public void close() throws IOException {
        writerLock.close();
    }

    private Publication once(Digest digest, ObjectTurns.Action<Publication> writing) throws IOException {
        return turns.take(digest, () -> has(digest) ? Publication.ALREADY_PRESENT : writing.run());
    }
}

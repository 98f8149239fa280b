package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.linux.FileSystems;
import io.faasimage.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;

/**
 * Content-addressed objects below one directory, written by several threads of several processes. An object is visible
 * under its name only when it is whole and its content has its digest; it is never changed or written twice.
 *
 * <p>Thread-safe and blocking. Two threads of one process that publish the same object take turns, and the second
 * finds it held; two processes may both write it, and the first to finish wins. Nothing is flushed per object:
 * {@link #checkpoint} flushes all, and opening the store after a crash of the machine verifies what came after it.
 */
public final class ObjectStore implements AutoCloseable {
    /** For content of which only the digest is known. */
    public static final long UNKNOWN_SIZE = -1;

    private static final Pattern WRITER = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

    private final Layout layout;
    private final String writer;
    private final Boot boot;
    private final FileChannel writerLock;
    private final ObjectWriter objects;
    private final UsageScan usage;
    private final ConcurrentHashMap<Digest, CountDownLatch> underway = new ConcurrentHashMap<>();

    private ObjectStore(
            Layout layout, String writer, StoreLimits limits, Boot boot, FileChannel writerLock, Path incoming) {
        this.layout = layout;
        this.writer = writer;
        this.boot = boot;
        this.writerLock = writerLock;
        this.objects = new ObjectWriter(layout, incoming, limits, new Scratch.Pool(limits));
        this.usage = new UsageScan(layout, boot.clock());
    }

    /**
     * Opens the store at {@code root}, making it when it is not there. After a crash of the machine this verifies what
     * may not have reached the disk, which takes as long as reading it.
     *
     * @param writer names this process among those that use the store: lower-case letters, digits and dashes
     * @throws StoreException of kind {@link Kind#IN_USE} when another process has it open under that name
     */
    public static ObjectStore open(Path root, String writer) throws IOException {
        return open(root, writer, StoreLimits.DEFAULT, Boot.current());
    }

    static ObjectStore open(Path root, String writer, StoreLimits limits, Boot boot) throws IOException {
        if (!WRITER.matcher(writer).matches()) {
            throw new IllegalArgumentException("not a writer's name: '" + writer + "'");
        }
        Layout layout = new Layout(root);
        layout.create();
        FileChannel lock = lock(layout, writer);
        try {
            Path incoming = layout.incoming.resolve(writer);
            Layout.mkdir(incoming);
            Recovery.clean(incoming);
            new Recovery(layout, limits, boot, new Scratch.Pool(limits)).run(writer);
            return new ObjectStore(layout, writer, limits, boot, lock, incoming);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    private static FileChannel lock(Layout layout, String writer) throws IOException {
        Path file = layout.incoming.resolve(writer + ".lock");
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            // Held by another store of this very process: answered as for any other process.
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new StoreException(
                Kind.IN_USE,
                "another process uses the object store " + layout.root + " as '" + writer + "'; stop it first");
    }

    /** The directory of the store. */
    public Path root() {
        return layout.root;
    }

    /** Whether the object is held. */
    public boolean has(Digest digest) {
        return Files.exists(layout.object(digest));
    }

    /** Where the object lies, or would. */
    public Path path(Digest digest) {
        return layout.object(digest);
    }

    /**
     * Publishes an object from its raw content. The content is not read when the object is held already.
     *
     * @param size in bytes, or {@link #UNKNOWN_SIZE}
     * @param raw read to its end, not closed
     * @throws StoreException when the content is wrong or the disk fails; nothing is left behind
     * @throws IOException unchanged from {@code raw}
     */
    public Publication publish(Digest digest, long size, InputStream raw) throws IOException {
        checkSize(size);
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
     * Makes a held object visible under {@code late/} too, for a look-up that has passed {@code objects/} already.
     *
     * @return false when it is not held
     */
    public boolean makeLate(Digest digest) throws IOException {
        try {
            Files.createLink(layout.late(digest), layout.object(digest));
            return true;
        } catch (FileAlreadyExistsException e) {
            return true;
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** Drops an object; one that is open stays readable to who opened it. Nothing happens when it is not held. */
    public void drop(Digest digest) throws IOException {
        // In the order of recovery: a name in late without one in objects would be verified by nobody.
        Files.deleteIfExists(layout.late(digest));
        Files.deleteIfExists(layout.object(digest));
    }

    /** How much is held, by whomever written. Cheap when little has changed since the last call. */
    public Usage usage() throws IOException {
        return usage.count();
    }

    /** Flushes everything published so far, by any process, to the disk, and notes that it is there. */
    public void checkpoint() throws IOException {
        Instant start = boot.clock().instant();
        FileSystems.syncfs(layout.root);
        new Checkpoint(boot.id(), start).write(layout.marker, writer);
    }

    /** Gives the writer's name free. Does not flush. */
    @Override
    public void close() throws IOException {
        writerLock.close();
    }

    private Publication once(Digest digest, Writing writing) throws IOException {
        CountDownLatch mine = new CountDownLatch(1);
        CountDownLatch other = underway.putIfAbsent(digest, mine);
        while (other != null) {
            await(other, digest);
            other = underway.putIfAbsent(digest, mine);
        }
        try {
            return has(digest) ? Publication.ALREADY_HELD : writing.write();
        } finally {
            underway.remove(digest);
            mine.countDown();
        }
    }

    private static void await(CountDownLatch other, Digest digest) throws InterruptedIOException {
        try {
            other.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException failure =
                    new InterruptedIOException("interrupted while another thread wrote object " + digest);
            failure.initCause(e);
            throw failure;
        }
    }

    private static void checkSize(long size) {
        if (size < 0 && size != UNKNOWN_SIZE) {
            throw new IllegalArgumentException("negative size: " + size);
        }
    }

    /** Writes one object. */
    @FunctionalInterface
    private interface Writing {
        Publication write() throws IOException;
    }
}

package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.linux.FileSystems;
import io.faasimage.store.object.StoreException;
import io.faasimage.store.object.StoreException.Kind;
import io.faasimage.store.object.StoredObject;
import io.faasimage.store.object.Usage;
import io.faasimage.store.pack.Packs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
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

    /** Names that one flush takes away, so that memory is bounded. */
    private static final int MOST_UNSYNCED = 16_384;

    private final Layout layout;
    private final UsageScan usage;
    private final Suspects suspects;
    private final Path scratch;
    private final WriterLock writerLock;
    private final ObjectWriter objects;
    private final ObjectTurns turns = new ObjectTurns();
    private final Optional<Packs> packs;

    private ObjectStore(
            Layout layout, Path incoming, StoreLimits limits, Boot boot, WriterLock writerLock, Optional<Packs> packs)
            throws IOException {
        this.packs = packs;
        this.layout = layout;
        this.usage = new UsageScan(layout, boot.clock());
        this.suspects = new Suspects(layout, new Scratch.Pool(limits));
        this.scratch = incoming;
        this.writerLock = writerLock;
        this.objects = new ObjectWriter(new Incoming(layout, incoming, usage), limits, new Scratch.Pool(limits));
    }

    /**
     * Opens the store at {@code root}, making it when it is not there.
     *
     * @param writer names this process among those that use the store: lower-case letters, digits and dashes
     * @throws StoreException of kind {@link Kind#IN_USE} when another process has it open under that name
     */
    public static ObjectStore open(Path root, String writer) throws IOException {
        return open(root, writer, Optional.empty());
    }

    /**
     * As {@link #open(Path, String)}, with packs.
     *
     * @param packs whose objects are present, too; opened when nobody else has the store, and closed with it
     */
    public static ObjectStore open(Path root, String writer, Optional<Packs.Opening> packs) throws IOException {
        return open(root, writer, StoreLimits.DEFAULT, Boot.current(), packs);
    }

    static ObjectStore open(Path root, String writer, StoreLimits limits, Boot boot) throws IOException {
        return open(root, writer, limits, boot, Optional.empty());
    }

    private static ObjectStore open(
            Path root, String writer, StoreLimits limits, Boot boot, Optional<Packs.Opening> packs) throws IOException {
        WriterLock.check(writer);
        Layout layout = new Layout(root);
        layout.create();
        WriterLock lock = WriterLock.take(layout, writer);
        try {
            Path incoming = layout.incoming.resolve(writer);
            Layout.mkdir(incoming);
            Recovery.clean(incoming);
            new Recovery(layout, boot).run();
            Optional<Packs> opened =
                    packs.isEmpty() ? Optional.empty() : Optional.of(packs.get().open());
            return new ObjectStore(layout, incoming, limits, boot, lock, opened);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** The directory of the store. */
    public Path root() {
        return layout.root;
    }

    /**
     * Has the kernel read the directories that objects are looked for and made in: after a while without starts they
     * may have left the memory, and reading them one by one takes some 0.1 ms each.
     */
    public void touch() {
        for (Path shard : layout.shards()) {
            var _ = Files.exists(shard.resolve("-"));
        }
    }

    /** A directory for files of this process that are not objects yet; emptied when it opens the store. */
    public Path scratch() {
        return scratch;
    }

    /** The packs, where there are any. */
    public Optional<Packs> packs() {
        return packs;
    }

    /** Whether the object is present, as a file or in a pack. */
    public boolean has(Digest digest) {
        return hasFile(digest) || packs.flatMap(all -> all.whole(digest)).isPresent();
    }

    /** Whether the object is present as a file of its own. */
    public boolean hasFile(Digest digest) {
        return Files.exists(layout.object(digest)) || suspects.rescue(digest);
    }

    /** Where the object lies, or would. One that a crash may have damaged is verified now. */
    public Path path(Digest digest) {
        return hasFile(digest)
                ? layout.object(digest)
                : packs.flatMap(all -> all.whole(digest)).orElseGet(() -> layout.object(digest));
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

    /**
     * As {@link #publish(Digest, long, InputStream)}, and waits for no other thread that publishes the object, whose
     * own source may stand still: the first to have it whole wins.
     */
    public Publication publishBeside(Digest digest, long size, InputStream raw) throws IOException {
        ObjectWriter.checkSize(size);
        return hasFile(digest) ? Publication.ALREADY_PRESENT : objects.write(digest, size, raw);
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
        try {
            Files.createLink(layout.late(digest), layout.object(digest));
            return true;
        } catch (FileAlreadyExistsException e) {
            return true;
        } catch (NoSuchFileException e) {
            return suspects.rescue(digest) && makeLate(digest);
        }
    }

    /**
     * Drops an object; readers that have it open can read on.
     *
     * @return the bytes it had; 0 when it was not present
     */
    public long drop(Digest digest) throws IOException {
        long inPack = packs.isPresent() ? packs.get().drop(digest) : 0;
        return inPack + turns.take(digest, () -> dropInTurn(digest));
    }

    /** Frees the room of dropped objects that were in packs: that of files is free at once. */
    public void freeDropped() throws IOException {
        if (packs.isPresent()) {
            packs.get().freeDropped();
        }
    }

    /**
     * The late name goes last: one that {@link #makeLate} gives meanwhile goes with it, and later ones find no object.
     */
    private long dropInTurn(Digest digest) throws IOException {
        Path file = layout.object(digest);
        suspects.drop(digest);
        long dropped = 0;
        try {
            long bytes = Files.size(file);
            if (Files.deleteIfExists(file)) {
                dropped = bytes;
                usage.dropped(digest, bytes);
            }
        } catch (NoSuchFileException e) {
            // Not here.
        }
        Files.deleteIfExists(layout.late(digest));
        return dropped;
    }

    /**
     * Shows the objects of one part to {@code visitor}, those in packs as far as they are there. Objects that come or
     * go meanwhile may be missed or shown, and one that is a file and in a pack is shown twice.
     *
     * @param part the first byte of their digests
     */
    public void forEach(int part, Consumer<StoredObject> visitor) throws IOException {
        packs.ifPresent(all -> all.forEach(part, visitor));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(layout.objects.resolve(Layout.shard(part)))) {
            for (Path file : files) {
                Optional<Digest> digest = Layout.digestOf(file);
                if (digest.isPresent()) {
                    show(digest.get(), file, visitor);
                }
            }
        }
    }

    private static void show(Digest digest, Path file, Consumer<StoredObject> visitor) throws IOException {
        try {
            visitor.accept(new StoredObject(digest, Files.size(file)));
        } catch (NoSuchFileException e) {
            // Dropped between the listing and the look at it: not present any more.
        }
    }

    /** The number and size of all present objects. Cheap when little has changed since the last call. */
    public Usage usage() throws IOException {
        Usage files = usage.count();
        Usage inPacks = packs.map(Packs::usage).orElse(new Usage(0, 0));
        return new Usage(files.objects() + inPacks.objects(), files.bytes() + inPacks.bytes());
    }

    /**
     * Flushes everything published so far, by any process, to the disk, and notes that it is there. Returns whether
     * there was anything.
     */
    public synchronized boolean checkpoint() throws IOException {
        List<Path> unsynced = Recovery.unsynced(layout, MOST_UNSYNCED);
        boolean some = !unsynced.isEmpty();
        while (!unsynced.isEmpty()) {
            // Each was whole before it was listed, so its content is flushed now.
            FileSystems.syncfs(layout.root);
            for (Path name : unsynced) {
                Files.deleteIfExists(name);
            }
            unsynced = unsynced.size() < MOST_UNSYNCED ? List.of() : Recovery.unsynced(layout, MOST_UNSYNCED);
        }
        // Last, as it needs a little room, which a full disk does not have.
        if (packs.isPresent()) {
            packs.get().flush();
        }
        return some;
    }

    /** Whether a crash of the machine left objects that are not verified yet. */
    public boolean hasSuspects() {
        return suspects.areHere();
    }

    /**
     * Verifies the objects that were not known to be on the disk when the machine went down. Other calls may continue
     * meanwhile; one that requests such an object verifies it itself.
     *
     * @param pause awaited before each object
     */
    public Verified verifySuspects(Pause pause) throws IOException {
        return suspects.verifyAll(pause);
    }

    /** Releases the writer's name. Does not flush. */
    @Override
    public void close() throws IOException {
        writerLock.close();
        if (packs.isPresent()) {
            packs.get().close();
        }
    }

    private Publication once(Digest digest, ObjectTurns.Action<Publication> writing) throws IOException {
        return turns.take(digest, () -> hasFile(digest) ? Publication.ALREADY_PRESENT : writing.run());
    }
}

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Content-addressed objects below one directory, and a second on faster storage, written by several threads of several
 * processes. An object is visible under its name only when it is whole and its content has its digest; it is never
 * changed or written twice.
 *
 * <p>Thread-safe and blocking. Two threads of one process that publish the same object take turns, and the second
 * finds it held; two processes may both write it, and the first to finish wins. Nothing is flushed per object:
 * {@link #checkpoint} flushes all. After a crash of the machine, objects published since the last checkpoint are hidden
 * until they are verified: when they are requested, or by {@link #verifySuspects}.
 */
public final class ObjectStore implements AutoCloseable {
    /** For content of which only the digest is known. */
    public static final long UNKNOWN_SIZE = -1;

    /** How many parts {@link #forEach(Tier, int, Consumer)} shows the objects of a tier in. */
    public static final int PARTS = Layout.SHARDS;

    private final Tiers tiers;
    private final WriterLock writerLock;
    private final ObjectWriter objects;
    private final ObjectTurns turns = new ObjectTurns();

    private ObjectStore(Tiers tiers, ObjectWriter objects, WriterLock writerLock) {
        this.tiers = tiers;
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
        return open(root, Optional.empty(), writer);
    }

    /** A store with a fast tier, whose directory exists. */
    public static ObjectStore open(Path root, Optional<FastTier> fast, String writer) throws IOException {
        return open(root, fast, writer, StoreLimits.DEFAULT, Boot.current());
    }

    static ObjectStore open(Path root, Optional<FastTier> fast, String writer, StoreLimits limits, Boot boot)
            throws IOException {
        WriterLock.check(writer);
        Layout layout = new Layout(root);
        layout.create();
        WriterLock lock = WriterLock.take(layout, writer);
        try {
            ObjectWriter objects = new ObjectWriter(limits, new Scratch.Pool(limits));
            OneTier capacity = new OneTier(TierFiles.open(Tier.CAPACITY, layout, writer, limits, boot));
            Tiers tiers =
                    fast.isEmpty() ? capacity : TwoTiers.open(fast.get(), capacity, writer, limits, boot, objects);
            return new ObjectStore(tiers, objects, lock);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /** The directory of the store. */
    public Path root() {
        return tiers.capacity().root();
    }

    /** The directory of the fast tier. */
    public Optional<Path> fastDirectory() {
        return tiers.fastDirectory();
    }

    /**
     * Has the kernel read the directories that objects are looked for and made in: after a while without starts they
     * may have left the memory, and reading them one by one takes some 0.1 ms each.
     */
    public void touch() {
        tiers.all().forEach(TierFiles::touch);
    }

    /** Whether the object is present. */
    public boolean has(Digest digest) {
        return tierOf(digest).isPresent();
    }

    /** Where the object is present. */
    public Optional<Tier> tierOf(Digest digest) {
        return tiers.holder(digest).map(TierFiles::tier);
    }

    /** Where the object lies, or would. It may move at any time: see {@link #open(Digest)}. */
    public Path path(Digest digest) {
        return tiers.holder(digest).orElse(tiers.capacity()).object(digest);
    }

    /**
     * Opens an object for reading, wherever it is.
     *
     * @throws NoSuchFileException when it is not held
     */
    public FileChannel open(Digest digest) throws IOException {
        while (true) {
            Path file = path(digest);
            try {
                return FileChannel.open(file, StandardOpenOption.READ);
            } catch (NoSuchFileException e) {
                if (!has(digest)) {
                    throw e;
                }
            }
        }
    }

    /**
     * Publishes an object from its raw content. The content is not read when the object is present already.
     *
     * @param size in bytes, or {@link #UNKNOWN_SIZE}
     * @param raw read to its end, not closed
     * @param wanted where it is to lie; in the capacity tier when the fast one does not take it
     * @throws StoreException when the content is wrong or the disk fails; nothing is left behind
     * @throws IOException unchanged from {@code raw}
     */
    public Publication publish(Digest digest, long size, InputStream raw, Tier wanted) throws IOException {
        ObjectWriter.checkSize(size);
        return once(digest, () -> tiers.write(size, wanted, target -> objects.write(digest, size, raw, target)));
    }

    /** Publishes into the capacity tier. */
    public Publication publish(Digest digest, long size, InputStream raw) throws IOException {
        return publish(digest, size, raw, Tier.CAPACITY);
    }

    /** Publishes an object whose raw content is the remaining bytes of {@code raw}, which is left as it is. */
    public Publication publish(Digest digest, ByteBuffer raw, Tier wanted) throws IOException {
        return once(digest, () -> tiers.write(raw.remaining(), wanted, target -> objects.write(digest, raw, target)));
    }

    /** Publishes into the capacity tier. */
    public Publication publish(Digest digest, ByteBuffer raw) throws IOException {
        return publish(digest, raw, Tier.CAPACITY);
    }

    /** As {@link #publish(Digest, long, InputStream)}, and {@link #makeLate}. */
    public Publication publishLate(Digest digest, long size, InputStream raw) throws IOException {
        Publication publication = publish(digest, size, raw);
        makeLate(digest);
        return publication;
    }

    /**
     * Makes a held object visible under {@code late/} of its tier too, for a look-up that has passed {@code objects/}
     * already.
     *
     * @return false when it is not held
     */
    public boolean makeLate(Digest digest) throws IOException {
        return tiers.makeLate(digest);
    }

    /**
     * Moves an object: copies and verifies it, and then removes the old name. Readers that have it open keep it; a
     * crash in between leaves a second copy, for {@link #dropDoubles}.
     *
     * @return false when it is not held in the other tier, or the fast one has no room for it
     * @throws StoreException when the disk fails, or the object was damaged there and is dropped
     */
    public boolean move(Digest digest, Tier to) throws IOException {
        return turns.take(digest, () -> tiers.move(digest, to));
    }

    /**
     * Drops an object; readers that have it open can read on.
     *
     * @return the bytes it had; 0 when it was not held
     */
    public long drop(Digest digest) throws IOException {
        return turns.take(digest, () -> tiers.drop(digest));
    }

    /**
     * Drops the capacity tier's copies of objects that the fast tier has, too: a move was cut short. Returns how many.
     */
    public int dropDoubles() throws IOException {
        List<Digest> doubles = new ArrayList<>();
        forEach(Tier.FAST, object -> {
            if (tiers.capacity().has(object.digest())) {
                doubles.add(object.digest());
            }
        });
        for (Digest digest : doubles) {
            turns.take(
                    digest,
                    () -> tierOf(digest).equals(Optional.of(Tier.FAST))
                            ? tiers.capacity().drop(digest)
                            : Optional.empty());
        }
        return doubles.size();
    }

    /**
     * Shows the objects of one part of a tier to {@code visitor}; objects that come or go meanwhile may be missed or
     * shown.
     *
     * @param part the first byte of their digests
     */
    public void forEach(Tier tier, int part, Consumer<HeldObject> visitor) throws IOException {
        Optional<TierFiles> files = tiers.mounted(tier);
        if (files.isPresent()) {
            files.get().forEach(part, visitor);
        }
    }

    /** Shows every object of a tier to {@code visitor}; objects that come or go meanwhile may be missed or shown. */
    public void forEach(Tier tier, Consumer<HeldObject> visitor) throws IOException {
        for (int part = 0; part < PARTS; part++) {
            forEach(tier, part, visitor);
        }
    }

    /** Whether there is a fast tier, and the file system that it was opened on is still mounted. */
    public boolean isFastThere() {
        return tiers.mounted(Tier.FAST).isPresent();
    }

    /** Differs from that of any other fast tier, and of this one after it lost its content; empty without one. */
    public Optional<String> fastIdentity() throws IOException {
        Optional<TierFiles> fast = tiers.mounted(Tier.FAST);
        return fast.isPresent() ? Optional.of(fast.get().identity()) : Optional.empty();
    }

    /** Most bytes that the fast tier can hold: its budget, or less when its file system is smaller; 0 without one. */
    public long fastLimit() throws IOException {
        return tiers.fastLimit();
    }

    /** The number and size of all present objects. Cheap when little has changed since the last call. */
    public Usage usage() throws IOException {
        return usage(Tier.CAPACITY).plus(usage(Tier.FAST));
    }

    /** The number and size of present objects in one tier; nothing in a fast one that is not there. */
    public Usage usage(Tier tier) throws IOException {
        return tiers.usage(tier);
    }

    /**
     * Flushes everything published so far, by any process, to the disk, and notes that it is there. Returns whether
     * there was anything.
     */
    public boolean checkpoint() throws IOException {
        boolean some = tiers.capacity().checkpoint();
        Optional<TierFiles> fast = tiers.mounted(Tier.FAST);
        return (fast.isPresent() && fast.get().checkpoint()) || some;
    }

    /** Whether a crash of the machine left objects that are not verified yet. */
    public boolean hasSuspects() {
        return tiers.all().stream().anyMatch(tier -> tier.suspects().areHere());
    }

    /**
     * Verifies the objects that were not known to be on the disk when the machine went down. Other calls may continue
     * meanwhile; one that requests such an object verifies it itself.
     *
     * @param pause awaited before each object
     */
    public Verified verifySuspects(Pause pause) throws IOException {
        Optional<TierFiles> fast = tiers.mounted(Tier.FAST);
        Verified above = fast.isPresent() ? fast.get().suspects().verifyAll(pause) : Verified.NONE;
        return above.plus(tiers.capacity().suspects().verifyAll(pause));
    }

    /** Releases the writer's name. Does not flush. */
    @Override
    public void close() throws IOException {
        writerLock.close();
    }

    private Publication once(Digest digest, ObjectTurns.Action<Publication> writing) throws IOException {
        return turns.take(digest, () -> has(digest) ? Publication.ALREADY_HELD : writing.run());
    }
}

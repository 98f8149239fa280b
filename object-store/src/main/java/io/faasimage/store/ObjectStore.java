package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.ObjectWriter.Target;
import io.faasimage.store.ObjectWriter.Written;
import io.faasimage.store.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Content-addressed objects below one directory, and a second on faster storage, written by several threads of several
 * processes. An object is visible under its name only when it is whole and its content has its digest; it is never
 * changed or written twice.
 *
 * <p>Thread-safe and blocking. Two threads of one process that publish the same object take turns, and the second
 * finds it held; two processes may both write it, and the first to finish wins. Nothing is flushed per object:
 * {@link #checkpoint} flushes all, and what came after it is hidden after a crash of the machine until it is verified:
 * when it is asked for, or by {@link #verifySuspects}.
 */
public final class ObjectStore implements AutoCloseable {
    /** For content of which only the digest is known. */
    public static final long UNKNOWN_SIZE = -1;

    /** How many parts {@link #forEach(Tier, int, Consumer)} shows the objects of a tier in. */
    public static final int PARTS = Layout.SHARDS;

    private static final Pattern WRITER = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

    private final TierFiles capacity;
    private final Optional<TierFiles> fast;
    private final Optional<FastRoom> room;
    private final FileChannel writerLock;
    private final ObjectWriter objects;
    private final ConcurrentHashMap<Digest, CountDownLatch> underway = new ConcurrentHashMap<>();

    private ObjectStore(
            TierFiles capacity,
            Optional<TierFiles> fast,
            Optional<FastRoom> room,
            StoreLimits limits,
            FileChannel writerLock) {
        this.capacity = capacity;
        this.fast = fast;
        this.room = room;
        this.writerLock = writerLock;
        this.objects = new ObjectWriter(limits, new Scratch.Pool(limits));
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

    /** As above, with a fast tier, which exists. */
    public static ObjectStore open(Path root, Optional<FastTier> fast, String writer) throws IOException {
        return open(root, fast, writer, StoreLimits.DEFAULT, Boot.current());
    }

    static ObjectStore open(Path root, String writer, StoreLimits limits, Boot boot) throws IOException {
        return open(root, Optional.empty(), writer, limits, boot);
    }

    static ObjectStore open(Path root, Optional<FastTier> fast, String writer, StoreLimits limits, Boot boot)
            throws IOException {
        if (!WRITER.matcher(writer).matches()) {
            throw new IllegalArgumentException("not a writer's name: '" + writer + "'");
        }
        Layout layout = new Layout(root);
        layout.create();
        FileChannel lock = lock(layout, writer);
        try {
            TierFiles capacity = TierFiles.open(Tier.CAPACITY, layout, writer, limits, boot);
            if (fast.isEmpty()) {
                return new ObjectStore(capacity, Optional.empty(), Optional.empty(), limits, lock);
            }
            Layout above = new Layout(fast.get().directory());
            above.create();
            TierFiles files = TierFiles.open(Tier.FAST, above, writer, limits, boot);
            FastRoom room = new FastRoom(fast.get(), files.usage().bytes());
            return new ObjectStore(capacity, Optional.of(files), Optional.of(room), limits, lock);
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
        return capacity.root();
    }

    /** The directory of the fast tier. */
    public Optional<Path> fastDirectory() {
        return fast.map(TierFiles::root);
    }

    /**
     * Has the kernel read the directories that objects are looked for and made in: after a while without starts they
     * may have left the memory, and reading them one by one takes some 0.1 ms each.
     */
    public void touch() {
        fast.ifPresent(TierFiles::touch);
        capacity.touch();
    }

    /** Whether the object is held. */
    public boolean has(Digest digest) {
        return tierOf(digest).isPresent();
    }

    /** Where the object is held. */
    public Optional<Tier> tierOf(Digest digest) {
        return holder(digest).map(TierFiles::tier);
    }

    /** An object that moves has both names for a moment; the first tier is asked again, as it may have gone there. */
    private Optional<TierFiles> holder(Digest digest) {
        if (fast.isEmpty()) {
            return capacity.has(digest) ? Optional.of(capacity) : Optional.empty();
        }
        return Stream.of(fast.get(), capacity, fast.get())
                .filter(tier -> tier.has(digest))
                .findFirst();
    }

    /** Where the object lies, or would. It may move at any time: see {@link #open(Digest)}. */
    public Path path(Digest digest) {
        return holder(digest).orElse(capacity).object(digest);
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
     * Publishes an object from its raw content. The content is not read when the object is held already.
     *
     * @param size in bytes, or {@link #UNKNOWN_SIZE}
     * @param raw read to its end, not closed
     * @param wanted where it is to lie; in the capacity tier when the fast one does not take it
     * @throws StoreException when the content is wrong or the disk fails; nothing is left behind
     * @throws IOException unchanged from {@code raw}
     */
    public Publication publish(Digest digest, long size, InputStream raw, Tier wanted) throws IOException {
        checkSize(size);
        return once(digest, () -> placed(size, wanted, target -> objects.write(digest, size, raw, target)));
    }

    /** As above, into the capacity tier. */
    public Publication publish(Digest digest, long size, InputStream raw) throws IOException {
        return publish(digest, size, raw, Tier.CAPACITY);
    }

    /** Publishes an object whose raw content is the remaining bytes of {@code raw}, which is left as it is. */
    public Publication publish(Digest digest, ByteBuffer raw, Tier wanted) throws IOException {
        return once(digest, () -> placed(raw.remaining(), wanted, target -> objects.write(digest, raw, target)));
    }

    /** As above, into the capacity tier. */
    public Publication publish(Digest digest, ByteBuffer raw) throws IOException {
        return publish(digest, raw, Tier.CAPACITY);
    }

    private Publication placed(long size, Tier wanted, Placing placing) throws IOException {
        long reserved = Math.max(size, 0);
        if (wanted == Tier.CAPACITY || fast.isEmpty() || !fast.get().isThere() || !takes(reserved)) {
            return placing.write(new Target(capacity, Optional.empty())).publication();
        }
        long taken = 0;
        try {
            Written written = placing.write(new Target(fast.get(), Optional.of(capacity)));
            taken = written.isNewIn(Tier.FAST) ? written.bytes() : 0;
            return written.publication();
        } finally {
            room.get().take(taken - reserved);
        }
    }

    private boolean takes(long bytes) {
        return room.isPresent() && room.get().reserve(bytes);
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
        // In the same order as a look-up of an object that moves.
        return (fast.isPresent() && fast.get().makeLate(digest))
                || capacity.makeLate(digest)
                || (fast.isPresent() && fast.get().makeLate(digest));
    }

    /**
     * Moves an object: copies and verifies it, and then takes the old name away. Who has it open keeps it; a crash in
     * between leaves a second copy, for {@link #dropDoubles}.
     *
     * @return false when it is not held in the other tier, or the fast one has no room for it
     * @throws StoreException when the disk fails, or the object was damaged there and is dropped
     */
    public boolean move(Digest digest, Tier to) throws IOException {
        if (fast.isEmpty() || !fast.get().isThere()) {
            return false;
        }
        TierFiles target = to == Tier.FAST ? fast.get() : capacity;
        TierFiles source = to == Tier.FAST ? capacity : fast.get();
        return exclusively(digest, () -> copied(digest, source, target) && dropFrom(source, digest) >= 0);
    }

    private boolean copied(Digest digest, TierFiles source, TierFiles target) throws IOException {
        boolean up = target.tier() == Tier.FAST;
        long reserved = 0;
        long taken = 0;
        try (FileChannel from = FileChannel.open(source.object(digest), StandardOpenOption.READ)) {
            long size = from.size();
            if (up && !takes(size)) {
                return false;
            }
            reserved = up ? size : 0;
            InputStream in = Channels.newInputStream(from);
            Written written = objects.write(digest, size, in, new Target(target, Optional.empty()));
            taken = written.isNewIn(Tier.FAST) ? size : 0;
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (StoreException e) {
            if (e.kind() == Kind.WRONG_CONTENT) {
                dropFrom(source, digest);
            }
            throw e;
        } finally {
            long excess = reserved - taken;
            room.ifPresent(it -> it.give(excess));
        }
    }

    /**
     * Drops an object; one that is open stays readable to who opened it.
     *
     * @return the bytes it had; 0 when it was not held
     */
    public long drop(Digest digest) throws IOException {
        return exclusively(digest, () -> {
            long above = fast.isPresent() ? dropFrom(fast.get(), digest) : 0;
            return above + dropFrom(capacity, digest);
        });
    }

    private long dropFrom(TierFiles tier, Digest digest) throws IOException {
        long bytes = tier.drop(digest).orElse(0L);
        if (tier.tier() == Tier.FAST) {
            room.ifPresent(it -> it.give(bytes));
        }
        return bytes;
    }

    /**
     * Drops the copies in the capacity tier of what is in the fast one, too: a move was cut short. Answers how many.
     */
    public int dropDoubles() throws IOException {
        List<Digest> doubles = new ArrayList<>();
        forEach(Tier.FAST, object -> {
            if (capacity.has(object.digest())) {
                doubles.add(object.digest());
            }
        });
        for (Digest digest : doubles) {
            exclusively(digest, () -> fast.isPresent() && fast.get().has(digest) ? dropFrom(capacity, digest) : 0);
        }
        return doubles.size();
    }

    /**
     * Shows the objects of one part of a tier to {@code visitor}; what comes or goes meanwhile may be missed or shown.
     *
     * @param part the first byte of their digests
     */
    public void forEach(Tier tier, int part, Consumer<HeldObject> visitor) throws IOException {
        if (tier == Tier.CAPACITY) {
            capacity.forEach(part, visitor);
        } else if (isFastThere()) {
            fast.get().forEach(part, visitor);
        }
    }

    /** Shows every object of a tier to {@code visitor}; as above. */
    public void forEach(Tier tier, Consumer<HeldObject> visitor) throws IOException {
        for (int part = 0; part < PARTS; part++) {
            forEach(tier, part, visitor);
        }
    }

    /** Whether there is a fast tier, and the file system that it was opened on is still mounted. */
    public boolean isFastThere() {
        return fast.isPresent() && fast.get().isThere();
    }

    /** Differs from that of any other fast tier, and of this one after it lost its content; empty without one. */
    public Optional<String> fastIdentity() throws IOException {
        return isFastThere() ? Optional.of(fast.get().identity()) : Optional.empty();
    }

    /** Most bytes that the fast tier can hold: its budget, or less when its file system is smaller; 0 without one. */
    public long fastLimit() throws IOException {
        return isFastThere() ? room.orElseThrow().limit() : 0;
    }

    /** How much is held, by whomever written. Cheap when little has changed since the last call. */
    public Usage usage() throws IOException {
        return usage(Tier.CAPACITY).plus(usage(Tier.FAST));
    }

    /** How much is held in one tier; nothing in a fast one that is not there. */
    public Usage usage(Tier tier) throws IOException {
        if (tier == Tier.CAPACITY) {
            return capacity.usage();
        }
        if (!isFastThere()) {
            return Usage.NONE;
        }
        Usage usage = fast.get().usage();
        room.orElseThrow().correct(usage.bytes());
        return usage;
    }

    /**
     * Flushes everything published so far, by any process, to the disk, and notes that it is there. Answers whether
     * there was anything.
     */
    public boolean checkpoint() throws IOException {
        boolean some = capacity.checkpoint();
        return (isFastThere() && fast.get().checkpoint()) || some;
    }

    /** Whether a crash of the machine left objects that are not verified yet. */
    public boolean hasSuspects() {
        return capacity.suspects().areHere()
                || (fast.isPresent() && fast.get().suspects().areHere());
    }

    /**
     * Verifies what was not known to be on the disk when the machine went down. Any number of other calls may go on
     * meanwhile; those that want such an object verify it themselves.
     *
     * @param pause awaited before each object
     */
    public Verified verifySuspects(Pause pause) throws IOException {
        Verified above = isFastThere() ? fast.get().suspects().verifyAll(pause) : Verified.NONE;
        return above.plus(capacity.suspects().verifyAll(pause));
    }

    /** Gives the writer's name free. Does not flush. */
    @Override
    public void close() throws IOException {
        writerLock.close();
    }

    private Publication once(Digest digest, Action<Publication> writing) throws IOException {
        return exclusively(digest, () -> has(digest) ? Publication.ALREADY_HELD : writing.run());
    }

    /** Runs {@code action} while no other thread of this process does anything to the object. */
    private <T> T exclusively(Digest digest, Action<T> action) throws IOException {
        CountDownLatch mine = new CountDownLatch(1);
        CountDownLatch other = underway.putIfAbsent(digest, mine);
        while (other != null) {
            await(other, digest);
            other = underway.putIfAbsent(digest, mine);
        }
        try {
            return action.run();
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

    /** Does something to one object. */
    @FunctionalInterface
    private interface Action<T> {
        T run() throws IOException;
    }

    /** Writes one object. */
    @FunctionalInterface
    private interface Placing {
        Written write(Target target) throws IOException;
    }
}

package io.faasimage.store.pack;

import io.faasimage.format.erofs.PackImage;
import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.linux.MountReadAhead;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.PageCache;
import io.faasimage.linux.SparseFile;
import io.faasimage.store.object.StoreException;
import io.faasimage.store.object.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A pack in a directory of its own: {@code table}, the frames in {@code data}, {@code present}, the file system's
 * metadata in {@code image}, and its mount point {@code mnt}. A frame is visible when it is whole and has its digest.
 * Thread-safe.
 */
public final class Pack implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Pack.class.getName());
    private static final String TABLE = "table";
    private static final String DATA = "data";
    private static final String PRESENT = "present";
    private static final String FLUSHED = "flushed";
    private static final String IMAGE = "image";
    private static final String POINT = "mnt";
    /** The name of the mount's bdi, as long as the machine runs. */
    private static final String BDI = "bdi";

    private static final int READ_AHEAD_KIB = 128;
    private static final int WRITERS = 16;

    private final Path directory;
    private final PackLayout layout;
    private final FileChannel data;
    private final SparseFile holes;
    private final PresentFrames present;
    private final FlushedFrames flushed;

    private final long inode;
    private final Consumer<Pack> came;
    /** Frames are written under the read lock; blocks are freed under the write lock. */
    private final ReadWriteLock blocks = new ReentrantReadWriteLock();

    /** One writer of a frame at a time. */
    private final List<Object> writing =
            Stream.generate(Object::new).limit(WRITERS).toList();

    private final Object guarding = new Object();
    private volatile long used = System.nanoTime();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger whole = new AtomicInteger();
    private final AtomicBoolean isDirty = new AtomicBoolean();
    private final AtomicBoolean hasDropped = new AtomicBoolean();

    private Pack(Path directory, PackLayout layout, Consumer<Pack> came) throws IOException {
        this.came = came;
        this.directory = directory;
        // The page cache has it: on the heap, tables of many packs would be most of it.
        this.layout = layout.over(MappedFile.read(directory.resolve(TABLE)));
        this.flushed = new FlushedFrames(directory.resolve(FLUSHED));
        this.data = FileChannel.open(
                directory.resolve(DATA), StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        this.holes = new SparseFile(directory.resolve(DATA));
        this.present = new PresentFrames(directory.resolve(PRESENT), layout.frames());
        this.inode = (long) Files.getAttribute(directory.resolve(DATA), "unix:ino");
        count(layout);
    }

    private void count(PackLayout layout) {
        long held = 0;
        int objects = 0;
        for (int object = 0; present.present() > 0 && object < layout.objects(); object++) {
            held += bytes(layout, object);
            objects += present.has(layout.framesOf(object)) ? 1 : 0;
        }
        bytes.set(held);
        whole.set(objects);
    }

    /**
     * A new pack without frames, in a directory that is not there yet.
     *
     * @param came called after each frame that comes
     */
    static Pack create(Path directory, PackLayout layout, Consumer<Pack> came) throws IOException {
        Files.createDirectories(directory.resolve(POINT));
        Files.write(directory.resolve(IMAGE), PackImage.of(layout));
        // The kernel takes a device of the size that its image says.
        try (FileChannel data =
                FileChannel.open(directory.resolve(DATA), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            data.write(ByteBuffer.allocate(1), layout.bytes() - 1);
        }
        AtomicFile.publish(directory.resolve(TABLE), out -> out.write(layout.encode()));
        return new Pack(directory, layout, came);
    }

    /** The table of the pack in a directory, where an earlier process made it. */
    static PackLayout table(Path directory) throws IOException {
        return PackLayout.decode(Files.readAllBytes(directory.resolve(TABLE)));
    }

    /** The pack in a directory, whose table was read. */
    static Pack open(Path directory, PackLayout table, Consumer<Pack> came) throws IOException {
        return new Pack(directory, table, came);
    }

    /** Where everything lies in it. */
    public PackLayout layout() {
        return layout;
    }

    /** Its directory, whose name is the pack's. */
    Path directory() {
        return directory;
    }

    /** Its name: what {@link Packs#add} was given, and more where it was given that before. */
    public String name() {
        return String.valueOf(directory.getFileName());
    }

    /** When the pack in a directory was made; long ago for one that was not made to its end. */
    static FileTime made(Path directory) throws IOException {
        Path table = directory.resolve(TABLE);
        return Files.exists(table) ? Files.getLastModifiedTime(table) : FileTime.fromMillis(0);
    }

    /** When it was made or given to a container last, by the monotonic clock. */
    long used() {
        return used;
    }

    /** A container gets its mount, or a pull its frames. */
    void use() {
        used = System.nanoTime();
    }

    /** The lock of its mark, its mounts and what is dropped. */
    Object guarding() {
        return guarding;
    }

    /** Where it is mounted. */
    public Path point() {
        return directory.resolve(POINT);
    }

    Path data() {
        return directory.resolve(DATA);
    }

    long inode() {
        return inode;
    }

    /** Mounts it; reads of missing frames fail unless the file is guarded. */
    void mount() throws IOException {
        Files.writeString(directory.resolve(BDI), mountAt(point(), 0));
    }

    /** Mounts it at another point, with a read-ahead in KiB; returns the name of the mount's bdi. */
    String mountAt(Path other, int readAheadKib) throws IOException {
        return MountReadAhead.limited(
                readAheadKib,
                () -> Mounts.mount(
                        directory.resolve(IMAGE).toString(), other, "erofs", Mounts.RDONLY, "device=" + data()));
    }

    /** Whether the kernel reads ahead: not while frames are missing, which nobody may want. */
    void readAhead(boolean wanted) {
        try {
            String bdi = Files.readString(directory.resolve(BDI));
            if (!bdi.isEmpty()) {
                MountReadAhead.set(bdi, wanted ? READ_AHEAD_KIB : 0);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the read-ahead of " + directory + " stays as it is", e);
        }
    }

    /** The file of an object in the mount, by its index. */
    public Path file(int object) {
        return point().resolve(layout.object(object).objectPath());
    }

    /** Bytes of the frames of an object that are there, by its index. */
    long bytes(int object) {
        return bytes(layout, object);
    }

    private long bytes(PackLayout layout, int object) {
        IndexRange frames = layout.framesOf(object);
        long sum = 0;
        for (int frame = frames.from(); frame < frames.to(); frame++) {
            sum += present.has(frame) ? layout.length(frame) : 0;
        }
        return sum;
    }

    /** Bytes of all frames that are there. */
    long bytes() {
        return bytes.get();
    }

    /** How many objects are there with all of their frames. */
    int wholeObjects() {
        return whole.get();
    }

    /** Whether these frames are there. */
    public boolean has(IndexRange frames) {
        return present.has(frames);
    }

    /** Whether this frame is there. */
    public boolean has(int frame) {
        return present.has(frame);
    }

    /** Whether all frames are there. */
    public boolean isComplete() {
        return present.isComplete();
    }

    /** How many frames are there. */
    public int presentFrames() {
        return present.present();
    }

    /**
     * Writes a frame, which is visible from then on.
     *
     * @param stored its bytes; their position is moved to the end
     * @param hash used for its digest
     * @throws StoreException when the bytes are not those of the frame, or the disk fails; nothing is visible then
     */
    public void put(int frame, ByteBuffer stored, MessageDigest hash) throws StoreException {
        hash.update(stored.duplicate());
        Digest digest = Digest.ofBytes(hash.digest());
        if (!digest.equals(layout.digest(frame))) {
            throw new StoreException(
                    Kind.WRONG_CONTENT,
                    "frame " + frame + " of pack " + name() + " has the digest " + digest + ", not "
                            + layout.digest(frame),
                    null);
        }
        write(frame, stored, false);
    }

    /**
     * Writes a frame that is made of its content, which was verified. One with other bytes than the service's is
     * missing after a crash of the machine, unless it was flushed. Where frames were dropped before, EROFS may have
     * kept a part of their bytes, and only the same ones will do.
     *
     * @param content of the frame, whole
     * @throws IOException when no frame of it fits the place, or the disk fails
     */
    public void fill(int frame, byte[] content) throws IOException {
        Optional<ByteBuffer> same = MadeFrame.same(content, layout.digest(frame));
        if (same.isPresent()) {
            write(frame, same.get(), false);
            return;
        }
        Optional<ByteBuffer> other =
                present.isPristine() ? MadeFrame.fitting(content, layout.length(frame)) : Optional.empty();
        write(frame, other.orElseThrow(() -> unfit(frame)), true);
    }

    private IOException unfit(int frame) {
        return new IOException("frame " + frame + " of pack " + name()
                + " cannot be made of its content, as another version of zstd made it");
    }

    /** A frame that is there is left alone: another form of it would be wrong bytes for a moment. */
    private void write(int frame, ByteBuffer stored, boolean isOther) throws StoreException {
        blocks.readLock().lock();
        try {
            synchronized (writing.get(frame % WRITERS)) {
                if (present.has(frame)) {
                    return;
                }
                if (isOther && !present.isPristine()) {
                    throw unfit(frame);
                }
                int length = stored.remaining();
                for (long at = layout.offset(frame); stored.hasRemaining(); ) {
                    at += data.write(stored, at);
                }
                bytes.addAndGet(length);
                if (present.completes(frame, layout.framesOf(layout.objectOf(frame)))) {
                    whole.incrementAndGet();
                }
            }
        } catch (IOException e) {
            throw StoreException.ofWrite("frame " + frame, directory, e);
        } finally {
            blocks.readLock().unlock();
        }
        isDirty.set(true);
        came.accept(this);
    }

    /**
     * Takes the frames of an object away, by its index: they are missing from then on. Their blocks are free after
     * {@link #freeDropped}.
     *
     * @return bytes of the frames
     */
    long drop(int object) {
        IndexRange frames = layout.framesOf(object);
        boolean wasWhole = present.has(frames);
        long dropped = 0;
        for (int frame = frames.from(); frame < frames.to(); frame++) {
            dropped += present.set(frame, false) ? layout.length(frame) : 0;
        }
        if (dropped > 0) {
            bytes.addAndGet(-dropped);
            whole.addAndGet(wasWhole ? -1 : 0);
            hasDropped.set(true);
        }
        return dropped;
    }

    /** Whether frames were dropped whose blocks are not free. */
    boolean hasDropped() {
        return hasDropped.get();
    }

    /** Frees the blocks of all frames that are missing. No read of them may be under way. */
    void freeDropped() throws IOException {
        hasDropped.set(false);
        try {
            punchMissing();
        } catch (IOException e) {
            hasDropped.set(true);
            throw e;
        }
    }

    private void punchMissing() throws IOException {
        BitSet there = present.all();
        // Before the blocks: file systems keep the order of the two, also through a crash.
        if (flushed.forgetMissing(present)) {
            isDirty.set(true);
        }
        blocks.writeLock().lock();
        try {
            int from = -1;
            for (int frame = 0; frame <= layout.frames(); frame++) {
                boolean missing = frame < layout.frames() && !there.get(frame) && !present.has(frame);
                if (missing && from < 0) {
                    from = frame;
                } else if (!missing && from >= 0) {
                    long begin = layout.offset(from);
                    long end = frame == layout.frames() ? layout.bytes() : layout.offset(frame);
                    holes.punch(begin, end - begin);
                    from = -1;
                }
            }
        } finally {
            blocks.writeLock().unlock();
        }
    }

    /** Flushes the frames that are there to the disk, and notes that they are. */
    void flush() throws IOException {
        if (!isDirty.getAndSet(false)) {
            return;
        }
        try {
            flushed.flush(data, present);
        } catch (IOException e) {
            isDirty.set(true);
            throw e;
        }
    }

    /** After a crash of the machine: verifies the frames that may not be on the disk, and forgets damaged ones. */
    int verify() throws IOException {
        repairImage();
        BitSet known = flushed.all();
        MessageDigest hash = Digest.newSha256();
        int damaged = 0;
        for (int frame = 0; frame < layout.frames(); frame++) {
            if (known.get(frame)) {
                present.set(frame, true);
            } else if (present.has(frame) && !isWhole(frame, hash)) {
                present.set(frame, false);
                damaged++;
            }
        }
        isDirty.set(true);
        count(layout);
        return damaged;
    }

    /** It was not flushed. */
    private void repairImage() throws IOException {
        Path file = directory.resolve(IMAGE);
        byte[] image = PackImage.of(layout);
        if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), image)) {
            Files.write(file, image);
        }
    }

    private boolean isWhole(int frame, MessageDigest hash) {
        try {
            hash.update(read(frame));
            return Digest.ofBytes(hash.digest()).equals(layout.digest(frame));
        } catch (IOException e) {
            return false;
        }
    }

    /** The bytes of a frame that is there. */
    ByteBuffer read(int frame) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(layout.length(frame));
        while (bytes.hasRemaining() && data.read(bytes, layout.offset(frame) + bytes.position()) > 0) {
            // Until the whole frame, or all that there is, was read.
        }
        return bytes.flip();
    }

    /**
     * The stored form of an object, by its index, read past the mount, whose readers may wait. Frames that are missing
     * when their turn comes are an error.
     */
    InputStream stored(int object) {
        return new StoredForm(this, layout.framesOf(object));
    }

    /** Copies the frames of an object that are there into another pack; verified as those that come. */
    void copy(int object, Pack other, int there, MessageDigest hash) throws IOException {
        int target = other.layout().firstFrame(there);
        IndexRange frames = layout.framesOf(object);
        for (int frame = frames.from(); frame < frames.to(); frame++) {
            if (present.has(frame)) {
                copy(read(frame), other, target + frame - frames.from(), hash);
            }
        }
    }

    /** One that was made here stays behind, and is missing there. */
    private static void copy(ByteBuffer frame, Pack other, int there, MessageDigest hash) throws StoreException {
        try {
            other.put(there, frame, hash);
        } catch (StoreException e) {
            if (e.kind() != Kind.WRONG_CONTENT) {
                throw e;
            }
        }
    }

    /** Drops the compressed pages from the page cache; the kernel has what it decompressed. */
    public void dropPages() throws IOException {
        PageCache.drop(data());
    }

    /** Closes its files; it stays mounted. */
    @Override
    public void close() throws IOException {
        holes.close();
        data.close();
    }
}

package io.faasimage.refactor.spool;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The contents of an image's files that the registry does not hold yet, by digest, each compressed once as it arrives,
 * in a few files of a work directory. Thread-safe. Closing it does not remove the files: the work directory's owner
 * does.
 *
 * <p>Threads of its own compress small contents in batches. A thread that is interrupted while it reads a file closes
 * it for all; so only a refactoring as a whole is interrupted.
 */
public final class Spool implements Closeable {
    private final Path directory;
    private final Holdings holdings;
    private final CompressorPool pool;
    private final FrameFile small;
    private final Set<Digest> claimed = ConcurrentHashMap.newKeySet();
    private final Set<Digest> held = ConcurrentHashMap.newKeySet();
    private final Map<Digest, SpooledObject> frames = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<FrameFile> files = new ConcurrentLinkedQueue<>();

    /** A spool in a directory that exists, for contents that {@code holdings} does not have. */
    public Spool(Path directory, Holdings holdings, int parallelism) throws IOException {
        this.directory = directory;
        this.holdings = holdings;
        this.small = open("frames");
        this.pool = new CompressorPool(parallelism);
    }

    /** A content that was put in: its digest and its size. */
    public record Stored(Digest digest, long size) {}

    /** Adds the contents of one layer; {@code name} is of its own. For one thread. */
    public SpoolWriter writer(String name) throws IOException {
        return new SpoolWriter(this, open(name));
    }

    /** Records that the registry holds these objects. */
    public void addHeld(Collection<Digest> digests) {
        held.addAll(digests);
    }

    /** Waits until every content that was added is in a frame, or known to be stored. */
    public void await() throws IOException {
        pool.await();
    }

    /** The frame of a content; absent when the registry holds it. After {@link #await}. */
    public Optional<SpooledObject> frame(Digest digest) {
        SpooledObject frame = frames.get(digest);
        if (frame == null && !held.contains(digest)) {
            throw new IllegalArgumentException("not in the spool: " + digest);
        }
        return Optional.ofNullable(frame);
    }

    /** The whole content, from here or from the stored objects; only for small ones. After {@link #await}. */
    public byte[] bytes(Digest digest) throws IOException {
        Optional<SpooledObject> frame = frame(digest);
        if (frame.isEmpty()) {
            return holdings.content(digest);
        }
        SpooledObject at = frame.get();
        ByteBuffer stored = ByteBuffer.allocate(Math.toIntExact(at.length()));
        FrameFile.read(at.channel(), stored, at.offset());
        byte[] raw = new byte[Math.toIntExact(at.size())];
        long size = Zstd.decompressByteArray(raw, 0, raw.length, stored.array(), 0, stored.capacity());
        if (size != raw.length) {
            throw new RefactorException(
                    Kind.LOCAL, "object " + digest + " in the work directory is damaged; look for errors of the disk");
        }
        return raw;
    }

    /** Writes a content of any size, from here or from the stored objects, to {@code out}. After {@link #await}. */
    public void copy(Digest digest, OutputStream out) throws IOException {
        Optional<SpooledObject> frame = frame(digest);
        if (frame.isEmpty()) {
            holdings.copy(digest, out);
            return;
        }
        try (InputStream content = LargeFrame.open(frame.get())) {
            content.transferTo(out);
        }
    }

    /** The content of any size from its beginning, from here or from the stored objects. After {@link #await}. */
    public InputStream open(Digest digest) throws IOException {
        Optional<SpooledObject> frame = frame(digest);
        return frame.isPresent() ? LargeFrame.open(frame.get()) : holdings.open(digest);
    }

    /** Compresses these contents again with another level. After {@link #await}. */
    public void compressAgain(Collection<SpooledObject> contents, int level) throws IOException {
        FrameFile again = open("again-" + level);
        for (SpooledObject frame : contents) {
            if (frame.size() <= SpoolBatch.BYTES) {
                byte[] raw = bytes(frame.digest());
                SpoolBatch batch = pool.batch();
                System.arraycopy(raw, 0, batch.bytes(), 0, raw.length);
                batch.add(frame.digest(), raw.length, level);
                pool.submit(batch, (zstd, b) -> compress(zstd, b, Set.of(), again));
            }
        }
        pool.await();
        for (SpooledObject frame : contents) {
            if (frame.size() > SpoolBatch.BYTES) {
                put(LargeFrame.compressAgain(frame, level, again));
            }
        }
    }

    /** True when the content has not been added before; then the caller adds it. */
    boolean claim(Digest digest) {
        return !held.contains(digest) && claimed.add(digest);
    }

    boolean isClaimed(Digest digest) {
        return held.contains(digest) || claimed.contains(digest);
    }

    /** Whether the registry holds one object; requested for large ones. */
    boolean isHeld(Digest digest) {
        boolean is = !holdings.held(List.of(digest)).isEmpty();
        if (is) {
            held.add(digest);
        }
        return is;
    }

    void put(SpooledObject frame) {
        frames.put(frame.digest(), frame);
    }

    SpoolBatch batch() throws IOException {
        return pool.batch();
    }

    void giveBack(SpoolBatch batch) {
        pool.giveBack(batch);
    }

    /** Compresses a batch of claimed contents, those left out that the registry holds. */
    void submit(SpoolBatch batch) throws IOException {
        pool.submit(batch, (zstd, b) -> {
            Set<Digest> known = holdings.held(b.digests());
            held.addAll(known);
            compress(zstd, b, known, small);
        });
    }

    private void compress(Compressor zstd, SpoolBatch batch, Set<Digest> known, FrameFile file)
            throws RefactorException {
        for (SpoolBatch.Item item : batch.items()) {
            if (!known.contains(item.digest())) {
                put(zstd.compress(batch, item, file));
            }
        }
    }

    private FrameFile open(String name) throws IOException {
        FrameFile file = new FrameFile(directory.resolve(name));
        files.add(file);
        return file;
    }

    @Override
    public void close() throws IOException {
        pool.close();
        for (FrameFile file : files) {
            file.close();
        }
    }
}

package io.faasimage.node.pull;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.ZstdIOException;
import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.pull.WantedObjects.Wanted;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.object.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses, verifies and publishes objects on a few threads that all pulls share. Thread-safe. The queue is
 * bounded, in bytes and so also in objects: {@link #submit} blocks while it is full.
 */
final class ObjectSink implements AutoCloseable {
    /** Objects up to this size are decompressed in one call into a buffer that each worker keeps. */
    private static final int WHOLE_BYTES = 1 << 20;

    /** Each worker's own. */
    private static final ThreadLocal<Scratch> SCRATCH = new ThreadLocal<>();

    private final ObjectStore store;
    private final Semaphore inFlight;
    private final FrameBuffers buffers;
    private final ExecutorService workers;

    /** The contexts of a worker, kept as long as it lives: making one takes longer than many an object. */
    private static final class Scratch implements AutoCloseable {
        private final byte[] buffer = new byte[WHOLE_BYTES];
        private final ZstdDecompressCtx zstd = new ZstdDecompressCtx();

        @Override
        public void close() {
            zstd.close();
        }
    }

    ObjectSink(ObjectStore store, PullConfig config) {
        this.store = store;
        this.inFlight = new Semaphore(config.inFlightBytes());
        this.buffers = new FrameBuffers(config.streamedBytes(), config.inFlightBytes() / config.streamedBytes());
        ThreadFactory threads = Thread.ofPlatform().name("publish-", 0).daemon().factory();
        this.workers = Executors.newFixedThreadPool(config.workers(), task -> threads.newThread(() -> work(task)));
    }

    private void work(Runnable tasks) {
        try (Scratch mine = new Scratch()) {
            SCRATCH.set(mine);
            tasks.run();
        }
    }

    /** Called with each submitted object, on a worker. */
    interface Outcome {
        void published(@Nullable IOException failure);
    }

    /**
     * Room for an object's stored form of at most {@link PullConfig#streamedBytes}, to be given to {@link #submit} or
     * {@link #drop}; blocks while too many bytes are out.
     */
    byte[] buffer(int length) throws InterruptedIOException {
        try {
            inFlight.acquire(buffers.cost(length));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while objects waited to be published");
        }
        return buffers.take(length);
    }

    /** Returns a buffer that {@link #buffer} gave for {@code length}, unsubmitted. */
    void drop(byte[] frame, int length) {
        buffers.giveBack(frame);
        inFlight.release(buffers.cost(length));
    }

    /** No pull runs: releases memory. */
    void rest() {
        buffers.drop();
    }

    /**
     * Publishes the first {@code length} bytes of a buffer that {@link #buffer} gave for them, in the background.
     * Returns at once.
     */
    void submit(PlanObject object, byte[] frame, int length, Outcome outcome) {
        workers.execute(() -> {
            try {
                @Nullable IOException failure = publishedFrame(object, frame, length);
                // Before the end of the pull is reported, and memory is released.
                buffers.giveBack(frame);
                outcome.published(failure);
            } finally {
                inFlight.release(buffers.cost(length));
            }
        });
    }

    private @Nullable IOException publishedFrame(PlanObject object, byte[] frame, int length) {
        try {
            publishFrame(object, frame, length);
            return null;
        } catch (IOException e) {
            return e;
        } catch (RuntimeException e) {
            return new IOException("could not publish " + object.digest(), e);
        }
    }

    private void publishFrame(PlanObject object, byte[] frame, int length) throws IOException {
        if (object.size() > WHOLE_BYTES) {
            publish(object, new ByteArrayInputStream(frame, 0, length), true);
            return;
        }
        Scratch mine = SCRATCH.get();
        byte[] raw = mine.buffer;
        try {
            int size = mine.zstd.decompressByteArray(raw, 0, (int) object.size(), frame, 0, length);
            store.publish(object.digest(), ByteBuffer.wrap(raw, 0, size));
        } catch (ZstdException e) {
            throw new CorruptObjectException(object.digest(), e);
        } catch (StoreException e) {
            throw translated(object.digest(), e);
        }
    }

    /**
     * Publishes on the calling thread, straight from {@code content}, which is closed.
     *
     * @throws CorruptObjectException when the content is wrong
     * @throws StoreException when the disk is full or fails
     * @throws IOException unchanged from {@code content}
     */
    void publish(PlanObject object, InputStream content, boolean zstd) throws IOException {
        publish(object.digest(), object.size(), content, zstd);
    }

    /** Publishes an object without a plan; {@code size} may be {@link ObjectStore#UNKNOWN_SIZE}. */
    void publish(Digest digest, long size, InputStream content, boolean zstd) throws IOException {
        try (InputStream raw = zstd ? new ZstdInputStream(content) : content) {
            store.publish(digest, size, raw);
        } catch (ZstdIOException e) {
            throw new CorruptObjectException(digest, e);
        } catch (StoreException e) {
            throw translated(digest, e);
        }
    }

    private static IOException translated(Digest digest, StoreException e) {
        return e.kind() == StoreException.Kind.WRONG_CONTENT ? new CorruptObjectException(digest, e) : e;
    }

    /** See {@link ObjectStore#touch}. */
    void touch() {
        store.touch();
    }

    /** Whether all that is wanted of an object is present, in its pack or as a file. */
    boolean holds(Wanted wanted) {
        return wanted.target().filter(PackTarget::isPresent).isPresent() || store.hasFile(wanted.digest());
    }

    /** Whether the object is present as a file. */
    boolean holds(Digest digest) {
        return store.hasFile(digest);
    }

    /** The stored form of an object that is whole in a pack. */
    Optional<InputStream> packed(Digest digest) {
        return store.packs().flatMap(packs -> packs.stored(digest));
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}

package io.faasimage.refactor.pack;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.spool.Spool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Compresses objects in parallel and writes them into packs in order.
 *
 * <p>Small objects go in batches through memory, large ones through a file of the work directory. At most
 * {@code 2 * parallelism} batches are ahead of the writer, so that memory is bounded.
 */
public final class Packer {
    private static final int BATCH_BYTES = 1 << 20;
    private static final int IN_MEMORY_BYTES = 4 << 20;

    /** One object to pack: its digest, size and zstd level. */
    public record Item(Digest digest, long size, int level) {}

    /** One pack to write into {@code file}, its objects in order. */
    public record Order(Path file, List<Item> items) {
        /** Copies the list. */
        public Order {
            items = List.copyOf(items);
        }
    }

    /** A pack that was written: the digest of its index, its size and entries. */
    public record Written(Order order, Digest index, long size, List<PackEntry> entries) {
        /** Copies the list. */
        public Written {
            entries = List.copyOf(entries);
        }
    }

    private final Spool spool;
    private final Path workDirectory;
    private final int parallelism;
    private final LongConsumer bytesPacked;

    /** A packer that takes contents from {@code spool}; {@code bytesPacked} hears of raw bytes. */
    public Packer(Spool spool, Path workDirectory, int parallelism, LongConsumer bytesPacked) {
        this.spool = spool;
        this.workDirectory = workDirectory;
        this.parallelism = parallelism;
        this.bytesPacked = bytesPacked;
    }

    /** Writes all the packs; on failure the files that were begun are left to the caller to remove. */
    public List<Written> write(List<Order> orders) throws IOException {
        ExecutorService workers = Executors.newFixedThreadPool(
                parallelism, Thread.ofPlatform().daemon().name("pack-", 0).factory());
        try {
            return new Run(orders, workers).write();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefactorException(Kind.CANCELLED, "interrupted while packing", e);
        } finally {
            workers.shutdownNow();
            workers.close();
        }
    }

    /** Objects of one pack that are compressed together, and the result: bytes, or a file for a large one. */
    private record Batch(Order order, List<Item> items) {}

    private static final class Frames {
        private final List<byte[]> bytes = new ArrayList<>();
        private @Nullable Path file;
    }

    private record Ahead(Batch batch, Future<Frames> frames) {}

    /** One writing of packs: the batches, the ones ahead, and the pack that is being written. */
    private final class Run {
        private final List<Order> orders;
        private final ExecutorService workers;
        private final Deque<Ahead> ahead = new ArrayDeque<>();
        private final List<Written> written = new ArrayList<>();
        private @Nullable PackWriter writer;

        Run(List<Order> orders, ExecutorService workers) {
            this.orders = orders;
            this.workers = workers;
        }

        List<Written> write() throws IOException, InterruptedException {
            try {
                for (Order order : orders) {
                    for (Batch batch : batches(order)) {
                        if (ahead.size() >= 2 * parallelism) {
                            takeOne();
                        }
                        ahead.add(new Ahead(batch, workers.submit(() -> compress(batch))));
                    }
                }
                while (!ahead.isEmpty()) {
                    takeOne();
                }
                return written;
            } finally {
                ahead.forEach(a -> a.frames.cancel(true));
                if (writer != null) {
                    writer.close();
                }
            }
        }

        private void takeOne() throws IOException, InterruptedException {
            Ahead next = ahead.remove();
            Frames frames;
            try {
                frames = next.frames.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException io ? io : new IOException("cannot compress", e.getCause());
            }
            List<Item> items = next.batch.items;
            PackWriter out = writer == null ? new PackWriter(next.batch.order.file) : writer;
            writer = out;
            for (int i = 0; i < items.size(); i++) {
                Item item = items.get(i);
                if (frames.file != null) {
                    out.append(item.digest, item.size, frames.file);
                    Files.delete(frames.file);
                } else {
                    byte[] frame = frames.bytes.get(i);
                    out.append(item.digest, item.size, frame, frame.length);
                }
                bytesPacked.accept(item.size);
            }
            if (items.getLast().equals(next.batch.order.items.getLast())) {
                Digest index = out.finish();
                out.close();
                written.add(new Written(next.batch.order, index, out.size(), out.entries()));
                writer = null;
            }
        }
    }

    private static List<Batch> batches(Order order) {
        List<Batch> batches = new ArrayList<>();
        List<Item> items = new ArrayList<>();
        long bytes = 0;
        for (Item item : order.items) {
            boolean ends = item.size > IN_MEMORY_BYTES || bytes + item.size > BATCH_BYTES;
            if (ends && !items.isEmpty()) {
                batches.add(new Batch(order, List.copyOf(items)));
                items.clear();
                bytes = 0;
            }
            items.add(item);
            bytes += item.size;
        }
        if (!items.isEmpty()) {
            batches.add(new Batch(order, List.copyOf(items)));
        }
        return batches;
    }

    private Frames compress(Batch batch) throws IOException {
        Frames frames = new Frames();
        Item first = batch.items.getFirst();
        if (first.size > IN_MEMORY_BYTES) {
            Path file = workDirectory.resolve("frame-" + first.digest.hex());
            FrameFile.write((from, buffer) -> spool.read(first.digest, from, buffer), first.size, first.level, file);
            frames.file = file;
            return frames;
        }
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(false).setContentSize(true)) {
            for (Item item : batch.items) {
                zstd.setLevel(item.level);
                byte[] raw = spool.bytes(item.digest);
                byte[] frame = new byte[(int) Zstd.compressBound(raw.length)];
                int length = zstd.compressByteArray(frame, 0, frame.length, raw, 0, raw.length);
                frames.bytes.add(java.util.Arrays.copyOf(frame, length));
            }
        }
        return frames;
    }
}

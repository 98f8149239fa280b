package io.faasimage.refactor.pack;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.spool.Spool;
import io.faasimage.refactor.spool.SpooledObject;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * A writer of packs from spooled contents. A content that was compressed with another level than it should have is
 * compressed again first, so that the bytes of a pack do not depend on the order in which layers were read.
 */
public final class Packer {
    private static final int BUFFER = 1 << 20;

    /** One object to pack: its frame, and the zstd level that it should have. */
    public record Item(SpooledObject frame, int level) {}

    /** One pack to write into {@code file}, its objects in order. */
    public record Order(Path file, List<Item> items) {
        public Order {
            items = List.copyOf(items);
        }
    }

    /** A pack that was written: the digest of its index, its size and entries. */
    public record Written(Order order, Digest index, long size, List<PackEntry> entries) {
        public Written {
            entries = List.copyOf(entries);
        }
    }

    private final Spool spool;
    private final LongConsumer bytesPacked;

    /** A packer that takes contents from {@code spool}; {@code bytesPacked} receives numbers of raw bytes. */
    public Packer(Spool spool, LongConsumer bytesPacked) {
        this.spool = spool;
        this.bytesPacked = bytesPacked;
    }

    /** Writes all the packs; on failure the files that were begun are left to the caller to remove. */
    public List<Written> write(List<Order> orders) throws IOException {
        compressAgain(orders);
        List<Written> written = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            ByteBuffer buffer = arena.allocate(BUFFER).asByteBuffer();
            for (Order order : orders) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new RefactorException(Kind.CANCELLED, "interrupted while packing");
                }
                written.add(write(order, buffer));
            }
        }
        return written;
    }

    private void compressAgain(List<Order> orders) throws IOException {
        Map<Integer, List<SpooledObject>> levels = new HashMap<>();
        for (Order order : orders) {
            for (Item item : order.items) {
                if (item.frame.level() != item.level) {
                    levels.computeIfAbsent(item.level, level -> new ArrayList<>())
                            .add(item.frame);
                }
            }
        }
        for (Map.Entry<Integer, List<SpooledObject>> level : levels.entrySet()) {
            spool.compressAgain(level.getValue(), level.getKey());
        }
    }

    private Written write(Order order, ByteBuffer buffer) throws IOException {
        try (PackWriter writer = new PackWriter(order.file, buffer)) {
            for (Item item : order.items) {
                writer.append(spool.frame(item.frame.digest()).orElseThrow());
                bytesPacked.accept(item.frame.size());
            }
            return new Written(order, writer.finish(), writer.size(), writer.entries());
        }
    }
}

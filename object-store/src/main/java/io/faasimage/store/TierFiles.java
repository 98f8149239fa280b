package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.linux.FileSystems;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The files of one tier. Thread-safe. */
final class TierFiles {
    /** Names that one flush takes away, so that memory is bounded. */
    private static final int MOST_UNSYNCED = 16_384;

    private final Tier tier;
    private final Layout layout;
    private final Path incoming;
    private final String writer;
    private final UsageScan usage;
    private final Object device;
    private final Suspects suspects;
    /** Never the same twice in one boot of the machine, so that no checkpoint takes one name for another. */
    private final AtomicLong numbers = new AtomicLong(System.nanoTime());

    private TierFiles(Tier tier, Layout layout, Path incoming, String writer, Boot boot, Suspects suspects)
            throws IOException {
        this.tier = tier;
        this.layout = layout;
        this.incoming = incoming;
        this.writer = writer;
        this.suspects = suspects;
        this.usage = new UsageScan(layout, boot.clock());
        this.device = FastTier.device(layout.root);
    }

    /** Opens a tier whose directories are there, for a writer that is alone under its name. */
    static TierFiles open(Tier tier, Layout layout, String writer, StoreLimits limits, Boot boot) throws IOException {
        Path incoming = layout.incoming.resolve(writer);
        Layout.mkdir(incoming);
        Recovery.clean(incoming);
        new Recovery(layout, boot).run();
        return new TierFiles(tier, layout, incoming, writer, boot, new Suspects(layout, new Scratch.Pool(limits)));
    }

    Tier tier() {
        return tier;
    }

    Path root() {
        return layout.root;
    }

    Path object(Digest digest) {
        return layout.object(digest);
    }

    boolean has(Digest digest) {
        return Files.exists(layout.object(digest)) || suspects.rescue(digest);
    }

    /** See {@link ObjectStore#verifySuspects}. */
    Suspects suspects() {
        return suspects;
    }

    /** Looks for nothing in every directory of objects, which has the kernel read it. */
    void touch() {
        for (Path shard : layout.shards()) {
            var _ = Files.exists(shard.resolve("-"));
        }
    }

    /** A name that no other writer uses, for content that is not whole yet. */
    Path temp() {
        return incoming.resolve(Long.toString(numbers.incrementAndGet()));
    }

    /** A name that no other object uses, for content that is whole but may not be on the disk. */
    Path unsynced(Digest digest) {
        return incoming.resolve(Layout.unsyncedName(digest, numbers.incrementAndGet()));
    }

    /** Whether the file system that was here when it was opened still is. */
    boolean isThere() {
        try {
            return FastTier.device(layout.root).equals(device);
        } catch (IOException e) {
            return false;
        }
    }

    /** See {@link ObjectStore#makeLate}. */
    boolean makeLate(Digest digest) throws IOException {
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
     * Drops an object; returns its size, empty when it was not here. Its late name goes last: one that {@link
     * #makeLate} gives meanwhile goes with it, and later ones find no object.
     */
    Optional<Long> drop(Digest digest) throws IOException {
        Path file = layout.object(digest);
        suspects.drop(digest);
        Optional<Long> dropped;
        try {
            long bytes = Files.size(file);
            dropped = Files.deleteIfExists(file) ? Optional.of(bytes) : Optional.empty();
        } catch (NoSuchFileException e) {
            dropped = Optional.empty();
        }
        Files.deleteIfExists(layout.late(digest));
        dropped.ifPresent(bytes -> usage.dropped(digest, bytes));
        return dropped;
    }

    /**
     * Shows every object whose digest begins with {@code shard}; objects that come or go meanwhile may be missed or
     * shown.
     */
    void forEach(int shard, Consumer<HeldObject> visitor) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(layout.objects.resolve(Layout.shard(shard)))) {
            for (Path file : files) {
                Optional<Digest> digest = Layout.digestOf(file);
                if (digest.isPresent()) {
                    show(digest.get(), file, visitor);
                }
            }
        }
    }

    private static void show(Digest digest, Path file, Consumer<HeldObject> visitor) throws IOException {
        try {
            visitor.accept(new HeldObject(digest, Files.size(file)));
        } catch (NoSuchFileException e) {
            // Dropped between the listing and the look at it: not held any more.
        }
    }

    /** An object was written here. */
    void published(Digest digest, long bytes) {
        usage.published(digest, bytes);
    }

    Usage usage() throws IOException {
        return usage.count();
    }

    /** Flushes all objects published so far, by any process, and notes it; no-op when there is nothing to flush. */
    synchronized boolean checkpoint() throws IOException {
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
        return some;
    }

    /** A name for this tier that differs from that of any other, and of this one after it was emptied. */
    String identity() throws IOException {
        return layout.identity(writer);
    }
}

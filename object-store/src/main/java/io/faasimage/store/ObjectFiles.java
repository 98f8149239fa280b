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

/** The files of one store. Thread-safe. */
final class ObjectFiles {
    /** Names that one flush takes away, so that memory is bounded. */
    private static final int MOST_UNSYNCED = 16_384;

    private final Layout layout;
    private final Path incoming;
    private final UsageScan usage;
    private final Suspects suspects;
    /** Never the same twice in one boot of the machine, so that no checkpoint takes one name for another. */
    private final AtomicLong numbers = new AtomicLong(System.nanoTime());

    private ObjectFiles(Layout layout, Path incoming, Boot boot, Suspects suspects) {
        this.layout = layout;
        this.incoming = incoming;
        this.suspects = suspects;
        this.usage = new UsageScan(layout, boot.clock());
    }

    /** Opens a store whose directories are there, for a writer that is alone under its name. */
    static ObjectFiles open(Layout layout, String writer, StoreLimits limits, Boot boot) throws IOException {
        Path incoming = layout.incoming.resolve(writer);
        Layout.mkdir(incoming);
        Recovery.clean(incoming);
        new Recovery(layout, boot).run();
        return new ObjectFiles(layout, incoming, boot, new Suspects(layout, new Scratch.Pool(limits)));
    }

    Path root() {
        return layout.root;
    }

    Path object(Digest digest) {
        return layout.object(digest);
    }

    /** See {@link ObjectStore#path}. */
    Path verified(Digest digest) {
        var _ = suspects.rescue(digest);
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
     * Drops an object; returns its size, 0 when it was not here. Its late name goes last: one that {@link
     * #makeLate} gives meanwhile goes with it, and later ones find no object.
     */
    long drop(Digest digest) throws IOException {
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
     * Shows every object whose digest begins with {@code shard}; objects that come or go meanwhile may be missed or
     * shown.
     */
    void forEach(int shard, Consumer<StoredObject> visitor) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(layout.objects.resolve(Layout.shard(shard)))) {
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
}

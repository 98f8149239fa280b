package io.faasimage.store;

import io.faasimage.format.id.Digest;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** The directory that one process writes objects in, before they get their names. Thread-safe. */
final class Incoming {
    private final Layout layout;
    private final Path directory;
    private final UsageScan usage;
    /** Never the same twice in one boot of the machine, so that no checkpoint takes one name for another. */
    private final AtomicLong numbers = new AtomicLong(System.nanoTime());

    Incoming(Layout layout, Path directory, UsageScan usage) {
        this.layout = layout;
        this.directory = directory;
        this.usage = usage;
    }

    Path root() {
        return layout.root;
    }

    Path object(Digest digest) {
        return layout.object(digest);
    }

    /** A name that no other writer uses, for content that is not whole yet. */
    Path temp() {
        return directory.resolve(Long.toString(numbers.incrementAndGet()));
    }

    /** A name that no other object uses, for content that is whole but may not be on the disk. */
    Path unsynced(Digest digest) {
        return directory.resolve(Layout.unsyncedName(digest, numbers.incrementAndGet()));
    }

    /** An object got its name. */
    void published(Digest digest, long bytes) {
        usage.published(digest, bytes);
    }
}

package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.linux.FileSystems;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** The files of one tier. Thread-safe. */
final class TierFiles {
    private final Tier tier;
    private final Layout layout;
    private final Path incoming;
    private final String writer;
    private final Boot boot;
    private final UsageScan usage;
    private final Object device;
    private final AtomicLong temps = new AtomicLong();

    private TierFiles(Tier tier, Layout layout, Path incoming, String writer, Boot boot) throws IOException {
        this.tier = tier;
        this.layout = layout;
        this.incoming = incoming;
        this.writer = writer;
        this.boot = boot;
        this.usage = new UsageScan(layout, boot.clock());
        this.device = FastTier.device(layout.root);
    }

    /** Opens a tier whose directories are there, for a writer that is alone under its name. */
    static TierFiles open(Tier tier, Layout layout, String writer, StoreLimits limits, Boot boot) throws IOException {
        Path incoming = layout.incoming.resolve(writer);
        Layout.mkdir(incoming);
        Recovery.clean(incoming);
        new Recovery(layout, limits, boot, new Scratch.Pool(limits)).run(writer);
        return new TierFiles(tier, layout, incoming, writer, boot);
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
        return Files.exists(layout.object(digest));
    }

    /** Looks for nothing in every directory of objects, which has the kernel read it. */
    void touch() {
        for (Path shard : layout.shards()) {
            var _ = Files.exists(shard.resolve("-"));
        }
    }

    /** A name that no other writer uses, for content that is not whole yet. */
    Path temp() {
        return incoming.resolve(Long.toString(temps.incrementAndGet()));
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
            return false;
        }
    }

    /** Drops an object; tells how many bytes it had, empty when it was not here. */
    Optional<Long> drop(Digest digest) throws IOException {
        Path file = layout.object(digest);
        // In the order of recovery: a name in late without one in objects would be verified by nobody.
        Files.deleteIfExists(layout.late(digest));
        try {
            long bytes = Files.size(file);
            return Files.deleteIfExists(file) ? Optional.of(bytes) : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Shows every object to {@code visitor}; what comes or goes meanwhile may be missed or shown. */
    void forEach(Consumer<HeldObject> visitor) throws IOException {
        for (Path shard : layout.shards()) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(shard)) {
                for (Path file : files) {
                    Optional<Digest> digest = Layout.digestOf(file);
                    if (digest.isPresent()) {
                        show(digest.get(), file, visitor);
                    }
                }
            }
        }
    }

    private static void show(Digest digest, Path file, Consumer<HeldObject> visitor) throws IOException {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            visitor.accept(new HeldObject(
                    digest, attributes.size(), attributes.lastModifiedTime().toInstant()));
        } catch (NoSuchFileException e) {
            // Dropped between the listing and the look at it: not held any more.
        }
    }

    Usage usage() throws IOException {
        return usage.count();
    }

    void checkpoint() throws IOException {
        Instant start = boot.clock().instant();
        FileSystems.syncfs(layout.root);
        new Checkpoint(boot.id(), start).write(layout.marker, writer);
    }

    /** A name for this tier that differs from that of any other, and of this one after it was emptied. */
    String identity() throws IOException {
        return layout.identity(writer);
    }
}

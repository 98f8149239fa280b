package io.faasimage.registry.store.blob;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs and metadata images in a directory, up to a number of bytes; the least recently used one is evicted first. A
 * file that is removed stays readable for those that have it open. Files that an earlier service kept are there, and
 * unverified. Thread-safe.
 */
final class CacheDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(CacheDirectory.class);
    private static final Set<BlobKind> KINDS = EnumSet.of(BlobKind.PACK, BlobKind.METADATA);

    /** The state of a blob in this directory. */
    enum Held {
        ABSENT,
        UNVERIFIED,
        VERIFIED
    }

    private final Path root;
    private final long budget;
    /** Lengths, the longest unused first; guarded by itself, as are {@link #held} and {@link #unverified}. */
    private final SequencedMap<Blob, Long> files = new LinkedHashMap<>(16, 0.75f, true);

    private long held;
    private final Set<Blob> unverified = new HashSet<>();

    CacheDirectory(Path root, long budget) throws IOException {
        this.root = root;
        this.budget = budget;
        for (BlobKind kind : KINDS) {
            Files.createDirectories(root.resolve(kind.folder()));
        }
        keep();
    }

    /** Lists the files that an earlier service kept, and removes those that it had begun. */
    private void keep() throws IOException {
        record Kept(Blob blob, Path file, long size, long used) {}
        List<Kept> kept = new ArrayList<>();
        for (BlobKind kind : KINDS) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(root.resolve(kind.folder()))) {
                for (Path file : all) {
                    String name = String.valueOf(file.getFileName());
                    if (Blob.isName(name)) {
                        kept.add(new Kept(
                                new Blob(kind, name),
                                file,
                                Files.size(file),
                                Files.getLastModifiedTime(file).toMillis()));
                    } else {
                        Files.delete(file);
                    }
                }
            }
        }
        kept.sort(Comparator.comparingLong(Kept::used));
        synchronized (files) {
            kept.forEach(file -> add(file.blob(), file.size()));
            unverified.addAll(files.keySet());
        }
    }

    /** Whether blobs of this kind may be here. */
    static boolean keeps(BlobKind kind) {
        return KINDS.contains(kind);
    }

    /** The largest number of bytes. */
    long budget() {
        return budget;
    }

    /** Where a blob is when it is here. */
    Path path(Blob blob) {
        return root.resolve(blob.toString());
    }

    /** Uses a blob. One that was unverified counts as verified from then on: the caller verifies it. */
    Held use(Blob blob) {
        synchronized (files) {
            if (files.get(blob) == null) {
                return Held.ABSENT;
            }
            return unverified.remove(blob) ? Held.UNVERIFIED : Held.VERIFIED;
        }
    }

    /** A blob could not be verified. */
    void unverified(Blob blob) {
        synchronized (files) {
            if (files.containsKey(blob)) {
                unverified.add(blob);
            }
        }
    }

    /** Removes a blob. */
    void discard(Blob blob) {
        synchronized (files) {
            drop(blob);
        }
    }

    /** Adds a file to the directory, unless it has more bytes than there may be. */
    void adopt(Path file, Blob blob) throws IOException {
        long size = Files.size(file);
        if (size > budget) {
            return;
        }
        synchronized (files) {
            Files.move(file, path(blob), StandardCopyOption.ATOMIC_MOVE);
            unverified.remove(blob);
            add(blob, size);
        }
    }

    private void add(Blob blob, long size) {
        Long before = files.put(blob, size);
        held += size - (before == null ? 0 : before);
        while (held > budget && !files.isEmpty()) {
            Map.Entry<Blob, Long> eldest = files.firstEntry();
            drop(eldest.getKey());
        }
    }

    private void drop(Blob blob) {
        Long size = files.remove(blob);
        unverified.remove(blob);
        if (size != null) {
            held -= size;
        }
        try {
            Files.deleteIfExists(path(blob));
        } catch (IOException e) {
            LOG.warn("{} of the cache could not be removed: {}", path(blob), e.toString());
        }
    }
}

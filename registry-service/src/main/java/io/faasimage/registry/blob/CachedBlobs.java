package io.faasimage.registry.blob;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs and metadata images of a bucket that are kept in a directory as well, up to a number of bytes; the one that was
 * used longest ago goes first. What is asked for and not here is fetched in the background, whole and verified, while
 * the caller reads it from the bucket; when that fails, not again for a while. What an earlier service kept is
 * compared with the bucket when it is asked for first. A file that is removed stays readable for those that have it
 * open. Thread-safe.
 */
final class CachedBlobs implements BlobStore {
    private static final Logger LOG = LoggerFactory.getLogger(CachedBlobs.class);
    private static final Set<BlobKind> KINDS = EnumSet.of(BlobKind.PACK, BlobKind.METADATA);
    private static final String TEMPORARY = ".new-";
    private static final int FETCHES = 2;
    private static final int WAITING = 256;
    private static final int REMEMBERED_FAILURES = 10_000;
    private static final Duration NEXT_TRY = Duration.ofMinutes(5);

    private final S3Blobs store;
    private final Path root;
    private final long budget;
    private final InstantSource clock;
    /** Lengths, the longest unused first; guarded by itself, as is {@link #held}. */
    private final SequencedMap<Blob, Long> files = new LinkedHashMap<>(16, 0.75f, true);

    private long held;
    private final Set<Blob> fetching = new HashSet<>();
    /**
     * Of an earlier service, and not compared with the bucket since; guarded by {@link #files}, as are
     * {@link #failures}.
     */
    private final Set<Blob> unverified = new HashSet<>();

    private final SequencedMap<Blob, Instant> failures = new LinkedHashMap<>();
    private final ExecutorService fetches = new ThreadPoolExecutor(
            FETCHES,
            FETCHES,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING),
            Thread.ofPlatform().daemon().name("blob-cache-", 0).factory());

    CachedBlobs(S3Blobs store, Path root, long budget, InstantSource clock) throws IOException {
        this.store = store;
        this.root = root;
        this.budget = budget;
        this.clock = clock;
        for (BlobKind kind : KINDS) {
            Files.createDirectories(root.resolve(kind.folder()));
        }
        keep();
    }

    /** Takes what an earlier service kept; what it had begun goes. */
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

    private Path path(Blob blob) {
        return root.resolve(blob.toString());
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
            LOG.warn("cached {} could not be removed: {}", path(blob), e.toString());
        }
    }

    @Override
    public Optional<Path> file(Blob blob) {
        if (!KINDS.contains(blob.kind())) {
            return Optional.empty();
        }
        boolean here;
        synchronized (files) {
            here = files.get(blob) != null;
            if (here ? !unverified.remove(blob) : hasFailed(blob) || !fetching.add(blob)) {
                return here ? Optional.of(path(blob)) : Optional.empty();
            }
        }
        try {
            fetches.execute(here ? () -> verify(blob) : () -> fetch(blob));
        } catch (RejectedExecutionException e) {
            synchronized (files) {
                if (here) {
                    unverified.add(blob);
                } else {
                    fetching.remove(blob);
                }
            }
            LOG.debug("{} is not fetched or verified: too many others wait for that", blob);
        }
        return here ? Optional.of(path(blob)) : Optional.empty();
    }

    private boolean hasFailed(Blob blob) {
        Instant next = failures.get(blob);
        if (next != null && !clock.instant().isBefore(next)) {
            failures.remove(blob);
            return false;
        }
        return next != null;
    }

    private void fetch(Blob blob) {
        Path temporary = path(blob).resolveSibling(TEMPORARY + UUID.randomUUID());
        try {
            if (store.size(blob) > budget) {
                postpone(blob);
                return;
            }
            store.fetch(blob, temporary);
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            adopt(temporary, blob);
        } catch (IOException | RuntimeException e) {
            postpone(blob);
            LOG.warn("could not cache {}; next attempt after {}: {}", blob, NEXT_TRY, e.toString());
        } finally {
            synchronized (files) {
                fetching.remove(blob);
            }
            remove(temporary);
        }
    }

    private void postpone(Blob blob) {
        synchronized (files) {
            failures.put(blob, clock.instant().plus(NEXT_TRY));
            if (failures.size() > REMEMBERED_FAILURES) {
                failures.pollFirstEntry();
            }
        }
    }

    /** Compares a file with what the bucket has; power may have failed, and disks forget. */
    private void verify(Blob blob) {
        try {
            store.verify(blob, path(blob));
        } catch (NoSuchFileException | EOFException e) {
            LOG.warn("cached {} differs from the stored blob and is removed: {}", blob, e.toString());
            discard(blob);
        } catch (IOException | RuntimeException e) {
            LOG.debug("cached {} is verified at its next use: {}", blob, e.toString());
            synchronized (files) {
                if (files.containsKey(blob)) {
                    unverified.add(blob);
                }
            }
        }
    }

    @Override
    public void discard(Blob blob) {
        synchronized (files) {
            drop(blob);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", file, e.toString());
        }
    }

    private void adopt(Path file, Blob blob) throws IOException {
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

    @Override
    public void publish(Map<Path, Blob> published) throws IOException {
        store.publish(published);
        for (Map.Entry<Path, Blob> file : published.entrySet()) {
            if (KINDS.contains(file.getValue().kind())) {
                try {
                    adopt(file.getKey(), file.getValue());
                } catch (IOException e) {
                    LOG.warn("{} is stored, but could not be cached: {}", file.getValue(), e.toString());
                }
            }
        }
    }

    @Override
    public void delete(Blob blob) throws IOException {
        store.delete(blob);
        discard(blob);
    }

    @Override
    public void write(Blob blob, byte[] content) throws IOException {
        store.write(blob, content);
    }

    @Override
    public byte[] read(Blob blob) throws IOException {
        return store.read(blob);
    }

    @Override
    public InputStream read(Blob blob, long offset, long length) throws IOException {
        return store.read(blob, offset, length);
    }

    @Override
    public long size(Blob blob) throws IOException {
        return store.size(blob);
    }

    @Override
    public void names(BlobKind kind, Consumer<String> names) throws IOException {
        store.names(kind, names);
    }

    @Override
    public boolean isShared() {
        return store.isShared();
    }

    @Override
    public void check() throws IOException {
        store.check();
    }

    @Override
    public void sweep() throws IOException {
        store.sweep();
    }

    @Override
    public void close() {
        fetches.shutdownNow();
        store.close();
    }
}

package io.faasimage.registry.store.blob;

import io.faasimage.registry.store.blob.CacheDirectory.Held;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs and metadata images of a bucket that are also kept in a directory, up to a number of bytes; the least recently
 * used one is removed first. A blob that is requested and absent is fetched in the background, whole and verified,
 * while the caller reads it from the bucket; after a failure, it is not fetched again for a while. A file that an
 * earlier service kept is compared with the bucket when it is first requested. A file that is removed stays readable
 * for those that have it open. Thread-safe.
 */
final class CachedBlobs implements BlobStore {
    private static final Logger LOG = LoggerFactory.getLogger(CachedBlobs.class);
    private static final String TEMPORARY = ".new-";
    private static final int FETCHES = 2;
    private static final int WAITING = 256;
    private static final int REMEMBERED_FAILURES = 10_000;
    private static final Duration NEXT_TRY = Duration.ofMinutes(5);

    private final S3Blobs store;
    private final CacheDirectory directory;
    private final InstantSource clock;
    /** Guarded by itself, as are {@link #failures}; taken before the directory's lock. */
    private final Set<Blob> fetching = new HashSet<>();

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
        this.directory = new CacheDirectory(root, budget);
        this.clock = clock;
    }

    @Override
    public Optional<Path> file(Blob blob) {
        if (!CacheDirectory.keeps(blob.kind())) {
            return Optional.empty();
        }
        Held held;
        synchronized (fetching) {
            held = directory.use(blob);
            if (held == Held.ABSENT && (hasFailed(blob) || !fetching.add(blob))) {
                return Optional.empty();
            }
        }
        switch (held) {
            case ABSENT -> inBackground(blob, () -> fetch(blob), () -> fetched(blob));
            case UNVERIFIED -> inBackground(blob, () -> verify(blob), () -> directory.unverified(blob));
            case VERIFIED -> {}
        }
        return held == Held.ABSENT ? Optional.empty() : Optional.of(directory.path(blob));
    }

    private void inBackground(Blob blob, Runnable task, Runnable rejected) {
        try {
            fetches.execute(task);
        } catch (RejectedExecutionException e) {
            rejected.run();
            LOG.debug("{} is not fetched or verified: enough wait for that", blob);
        }
    }

    private void fetched(Blob blob) {
        synchronized (fetching) {
            fetching.remove(blob);
        }
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
        Path temporary = directory.path(blob).resolveSibling(TEMPORARY + UUID.randomUUID());
        try {
            if (store.size(blob) > directory.budget()) {
                postpone(blob);
                return;
            }
            store.fetch(blob, temporary);
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            directory.adopt(temporary, blob);
        } catch (IOException | RuntimeException e) {
            postpone(blob);
            LOG.warn("could not cache {}; next attempt after {}: {}", blob, NEXT_TRY, e.toString());
        } finally {
            fetched(blob);
            remove(temporary);
        }
    }

    private void postpone(Blob blob) {
        synchronized (fetching) {
            failures.put(blob, clock.instant().plus(NEXT_TRY));
            if (failures.size() > REMEMBERED_FAILURES) {
                failures.pollFirstEntry();
            }
        }
    }

    /** Compares a file with the bucket's blob; power may have failed, and disks forget. */
    private void verify(Blob blob) {
        try {
            store.verify(blob, directory.path(blob));
        } catch (NoSuchFileException | EOFException e) {
            LOG.warn("{} of the cache differs from the stored blob and is removed: {}", blob, e.toString());
            directory.discard(blob);
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} of the cache is verified when it is requested again: {}", blob, e.toString());
            directory.unverified(blob);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", file, e.toString());
        }
    }

    @Override
    public void publish(Map<Path, Blob> published) throws IOException {
        store.publish(published);
        for (Map.Entry<Path, Blob> file : published.entrySet()) {
            if (CacheDirectory.keeps(file.getValue().kind())) {
                try {
                    directory.adopt(file.getKey(), file.getValue());
                } catch (IOException e) {
                    LOG.warn("{} is stored, but could not be cached: {}", file.getValue(), e.toString());
                }
            }
        }
    }

    @Override
    public void discard(Blob blob) {
        directory.discard(blob);
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

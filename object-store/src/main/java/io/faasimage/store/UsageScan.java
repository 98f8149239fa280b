package io.faasimage.store;

import io.faasimage.format.id.Digest;
import io.faasimage.store.object.Usage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The count of a store's objects, of all writers. Changes of this process are added at once; shards whose directories
 * have changed are read again, a bounded number of them at each count, so that a large store at work is not read over
 * and over. Thread-safe: one thread reads, others get the last known count.
 */
final class UsageScan {
    /** A directory changed this recently may change again within one tick of its time stamp. */
    private static final Duration TICK = Duration.ofSeconds(1);

    /** Entries that are read again in one count, or a few more. */
    private static final int MOST_READ = 20_000;

    private final Layout layout;
    private final InstantSource clock;
    private final ReentrantLock reading = new ReentrantLock();
    private final AtomicLongArray objects = new AtomicLongArray(Layout.SHARDS);
    private final AtomicLongArray bytes = new AtomicLongArray(Layout.SHARDS);
    /**
     * When each directory that was read had changed; {@link Instant#MIN} when that may not have been its last change.
     */
    private final Instant[] changed = new Instant[Layout.SHARDS];

    private final boolean[] known = new boolean[Layout.SHARDS];
    /** The shard that is looked at first. */
    private int next;

    UsageScan(Layout layout, InstantSource clock) {
        this.layout = layout;
        this.clock = clock;
        Arrays.fill(changed, Instant.MIN);
    }

    void published(Digest digest, long size) {
        add(digest, 1, size);
    }

    void dropped(Digest digest, long size) {
        add(digest, -1, -size);
    }

    private void add(Digest digest, int count, long size) {
        int shard = (int) (digest.a() >>> 56);
        objects.addAndGet(shard, count);
        bytes.addAndGet(shard, size);
    }

    Usage count() throws IOException {
        if (reading.tryLock()) {
            try {
                readChanged();
            } finally {
                reading.unlock();
            }
        }
        long count = 0;
        long size = 0;
        for (int shard = 0; shard < Layout.SHARDS; shard++) {
            // One that another process wrote and this one dropped is not counted yet.
            count += Math.max(0, objects.get(shard));
            size += Math.max(0, bytes.get(shard));
        }
        return new Usage(count, size);
    }

    private void readChanged() throws IOException {
        long read = 0;
        int first = next;
        for (int i = 0; i < Layout.SHARDS; i++) {
            int shard = (first + i) % Layout.SHARDS;
            if (known[shard] && read >= MOST_READ) {
                continue;
            }
            Path directory = layout.objects.resolve(Layout.shard(shard));
            Instant time = Files.getLastModifiedTime(directory).toInstant();
            if (!time.equals(changed[shard])) {
                boolean settled = time.isBefore(clock.instant().minus(TICK));
                read += scan(directory, shard);
                changed[shard] = settled ? time : Instant.MIN;
                known[shard] = true;
                next = (shard + 1) % Layout.SHARDS;
            }
        }
    }

    private long scan(Path directory, int shard) throws IOException {
        long count = 0;
        long size = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                try {
                    size += Files.size(entry);
                    count++;
                } catch (NoSuchFileException e) {
                    // Evicted between the listing and the look at it: not present any more.
                }
            }
        }
        objects.set(shard, count);
        bytes.set(shard, size);
        return count;
    }
}

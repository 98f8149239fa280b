package io.faasimage.store;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Counts a store's objects, whoever wrote them; a shard whose directory has not changed since is not read again, so that
 * counting a store at rest costs 256 stats. Guarded by its own monitor.
 */
final class UsageScan {
    /** A directory changed this recently may change again within one tick of its time stamp. */
    private static final Duration TICK = Duration.ofSeconds(1);

    private static final int SHARDS = 256;

    private final Layout layout;
    private final InstantSource clock;
    private final Shard[] shards = new Shard[SHARDS];

    UsageScan(Layout layout, InstantSource clock) {
        this.layout = layout;
        this.clock = clock;
        java.util.Arrays.fill(shards, new Shard(Instant.MIN, Usage.NONE));
    }

    synchronized Usage count() throws IOException {
        Usage total = Usage.NONE;
        for (int i = 0; i < SHARDS; i++) {
            Path directory = layout.objects.resolve(Layout.shard(i));
            Instant changed = Files.getLastModifiedTime(directory).toInstant();
            if (!changed.equals(shards[i].changed())) {
                boolean settled = changed.isBefore(clock.instant().minus(TICK));
                shards[i] = new Shard(settled ? changed : Instant.MIN, scan(directory));
            }
            total = total.plus(shards[i].usage());
        }
        return total;
    }

    private static Usage scan(Path directory) throws IOException {
        long objects = 0;
        long bytes = 0;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                try {
                    bytes += Files.size(entry);
                    objects++;
                } catch (NoSuchFileException e) {
                    // Evicted between the listing and the look at it: not held any more.
                }
            }
        }
        return new Usage(objects, bytes);
    }

    private record Shard(Instant changed, Usage usage) {}
}

package io.faasimage.registry.platform.replica;

import io.faasimage.registry.platform.config.DataDirectory;
import io.faasimage.registry.platform.database.ConnectionPools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * The membership of this service among those on the database. Each counts up a number of its own; one whose number
 * stands still for a quarter of a minute, while the watcher's own gets through, is dead. No clock is compared with
 * another. Thread-safe; one thread beats.
 */
@Component
public class Replica implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Replica.class);
    private static final Duration BEAT = Duration.ofSeconds(2);
    private static final Duration DEAD = Duration.ofSeconds(15);
    private static final Duration SURE = Duration.ofSeconds(7);

    private record Seen(long beats, long since) {}

    private final ReplicaTable table;
    private final ApplicationEventPublisher events;
    private final Path file;
    private final String id = UUID.randomUUID().toString();
    private final Map<String, Seen> others = new HashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("replica").factory());
    private volatile long lastBeat = System.nanoTime();
    private volatile boolean running;

    Replica(ReplicaTable table, ApplicationEventPublisher events, DataDirectory data) {
        this.table = table;
        this.events = events;
        this.file = data.root().resolve("replica");
    }

    /** The name of this service, a new one at each start. */
    public String id() {
        return id;
    }

    /** The services that are not known to be dead, this one included. */
    public Set<String> alive() {
        return table.all();
    }

    /** An earlier owner of this data directory is dead: the directory has one owner. */
    @Override
    public void start() {
        try {
            try {
                table.remove(Files.readString(file).strip());
            } catch (NoSuchFileException e) {
                LOG.debug("the first start on this data directory", e);
            }
            Files.writeString(file, id);
        } catch (IOException e) {
            LOG.warn("jobs of this service's predecessor are released in a quarter of a minute: {}", e.toString());
        }
        table.beat(id);
        lastBeat = System.nanoTime();
        running = true;
        var _ = thread.scheduleWithFixedDelay(this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** For the thread that beats. */
    void beat() {
        // A replica that waits behind reports looks dead.
        try (ConnectionPools.Serving _ = ConnectionPools.serve()) {
            long begin = System.nanoTime();
            table.beat(id);
            if (begin - lastBeat > SURE.toNanos()) {
                // The others may not have got through either.
                others.clear();
            }
            lastBeat = begin;
            watch();
        } catch (DataAccessException e) {
            LOG.warn("could not write this service's heartbeat to the database: {}", e.toString());
        } catch (RuntimeException | Error e) {
            LOG.error("could not check the other services on this database", e);
        }
    }

    private void watch() {
        Map<String, Long> now = table.others(id);
        others.keySet().retainAll(now.keySet());
        long time = System.nanoTime();
        now.forEach((other, beats) -> {
            Seen seen = others.get(other);
            if (seen == null || seen.beats() != beats) {
                others.put(other, new Seen(beats, time));
            } else if (time - seen.since() > DEAD.toNanos() && table.removeIfStill(other, beats)) {
                LOG.warn("another registry-service on this database, {}, is dead; its jobs restart elsewhere", other);
                events.publishEvent(new ReplicaLost(other));
            }
        });
    }

    @Override
    public void stop() {
        running = false;
        thread.shutdownNow();
        try {
            if (thread.awaitTermination(5, TimeUnit.SECONDS)) {
                table.remove(id);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException e) {
            LOG.warn("could not report the end of this service to the database: {}", e.toString());
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Starts before the job workers, and ends after them. */
    @Override
    public int getPhase() {
        return SmartLifecycle.DEFAULT_PHASE - 2;
    }
}

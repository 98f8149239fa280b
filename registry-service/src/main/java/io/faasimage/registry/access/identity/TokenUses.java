package io.faasimage.registry.access.identity;

import java.time.Clock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * A timer that records once a minute which tokens were used, so that no request waits for it. With the first use of a
 * node's identity, the older ones of the node end: the node has the new one. Thread-safe; one thread writes.
 */
@Component
public class TokenUses implements SmartLifecycle {
    static final Duration PAUSE = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(TokenUses.class);

    private final TokenTable table;
    private final Clock clock;
    private final Set<String> used = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("token-uses").factory());
    private volatile boolean running;

    TokenUses(TokenTable table, Clock clock) {
        this.table = table;
        this.clock = clock;
    }

    /** A token of the table was accepted. */
    void note(String id) {
        used.add(id);
    }

    /** Records the uses since the last time; for one thread. */
    public synchronized void write() {
        Set<String> now = new HashSet<>(used);
        used.removeAll(now);
        try {
            for (String id : now) {
                if (table.use(id, clock.instant())) {
                    table.revokeOlder(id, clock.instant());
                }
            }
        } catch (DataAccessException e) {
            // The first use of a node's identity must not be lost.
            used.addAll(now);
            LOG.warn("could not record which tokens were used; next attempt in {}: {}", PAUSE, e.toString());
        }
    }

    @Override
    public void start() {
        running = true;
        var _ = thread.scheduleWithFixedDelay(this::write, PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void stop() {
        running = false;
        thread.shutdownNow();
        write();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}

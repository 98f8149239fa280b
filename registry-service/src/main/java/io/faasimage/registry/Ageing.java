package io.faasimage.registry;

import io.faasimage.registry.access.identity.Tokens;
import io.faasimage.registry.event.EventLog;
import io.faasimage.registry.functions.node.Nodes;
import io.faasimage.registry.functions.start.Starts;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.config.HistorySettings;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.session.jdbc.JdbcIndexedSessionRepository;
import org.springframework.stereotype.Component;

/**
 * A timer that removes records that are too old or too many. Several services on one database may do so at once. One
 * thread.
 */
@Component
class Ageing implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Ageing.class);

    private final Starts starts;
    private final Nodes nodes;
    private final EventLog events;
    private final Tokens tokens;
    private final AuditLog audit;
    private final JdbcIndexedSessionRepository sessions;
    private final HistorySettings settings;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ageing").factory());
    private volatile boolean running;

    Ageing(
            Starts starts,
            Nodes nodes,
            EventLog events,
            Tokens tokens,
            AuditLog audit,
            JdbcIndexedSessionRepository sessions,
            HistorySettings settings) {
        this.starts = starts;
        this.nodes = nodes;
        this.events = events;
        this.tokens = tokens;
        this.audit = audit;
        this.sessions = sessions;
        this.settings = settings;
    }

    @Override
    public void start() {
        running = true;
        long pause = settings.ageing().toMillis();
        var _ = thread.scheduleWithFixedDelay(this::age, pause, pause, TimeUnit.MILLISECONDS);
    }

    /** Removes old history now. */
    void age() {
        try {
            starts.age();
            nodes.age();
            events.forget(settings.events());
            audit.forget(settings.auditFor());
            tokens.age();
            sessions.cleanUpExpiredSessions();
        } catch (RuntimeException e) {
            LOG.warn("could not forget old records; next attempt in {}", settings.ageing(), e);
        }
    }

    @Override
    public void stop() {
        running = false;
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                LOG.warn("old starts are still being removed while the service stops");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}

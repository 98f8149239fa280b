package io.faasimage.adapter;

import io.faasimage.adapter.config.AdapterSettings;
import io.faasimage.adapter.openwhisk.RuntimeImages;
import io.faasimage.adapter.registration.CatchUp;
import io.faasimage.adapter.registration.Registrations;
import io.faasimage.adapter.registration.TraceWatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The timers of comparisons with the provider and of checks for traces. Its own threads; nothing waits for it. One
 * round that fails, for whatever reason, is logged and does not end the schedule.
 */
@Component
class Housekeeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
    private static final Duration TRACE_LOOK = Duration.ofSeconds(10);
    private static final Duration RETRY = Duration.ofSeconds(10);

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(
            2, Thread.ofVirtual().name("housekeeping-", 1).factory());
    private final CatchUp catchUp;
    private final Duration interval;

    Housekeeping(CatchUp catchUp, TraceWatch traces, Registrations registrations, AdapterSettings settings) {
        this.catchUp = catchUp;
        interval = settings.registration().compareInterval();
        switch (settings.platform()) {
            case OPENFAAS -> openFaas(traces);
            case OPENWHISK -> openWhisk(registrations, settings.openwhisk());
        }
    }

    /** A controller lists actions to their owners only, so there is nothing to compare with. */
    private void openWhisk(Registrations registrations, AdapterSettings.Openwhisk settings) {
        Path manifest = settings.runtimesManifest();
        if (manifest != null) {
            RuntimeImages images = new RuntimeImages(manifest, settings.runtimesRegistry(), registrations::offer);
            var _ = clock.scheduleWithFixedDelay(() -> round(images), 0, interval.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void openFaas(TraceWatch traces) {
        clock.execute(this::compare);
        var _ = clock.scheduleWithFixedDelay(
                () -> round(traces), TRACE_LOOK.toSeconds(), TRACE_LOOK.toSeconds(), TimeUnit.SECONDS);
    }

    /** Logs every failure: a scheduled task that throws is silently never run again. */
    static void round(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "{} failed, and continues with its next round",
                    task.getClass().getSimpleName(),
                    e);
        }
    }

    /** Compares; a comparison that failed is repeated soon, others at the usual interval. */
    private void compare() {
        round(catchUp);
        Duration next = catchUp.trouble().isPresent() && RETRY.compareTo(interval) < 0 ? RETRY : interval;
        var _ = clock.schedule(this::compare, next.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

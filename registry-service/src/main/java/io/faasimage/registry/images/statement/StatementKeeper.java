package io.faasimage.registry.images.statement;

import io.faasimage.format.statement.SignedDocument;
import io.faasimage.registry.images.image.LayerStatements;
import io.faasimage.registry.store.plan.PlanStatements;
import io.faasimage.registry.store.signing.Signing;
import io.faasimage.registry.store.signing.StatementTable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * The upkeep of statements in the background: subjects that an earlier key of this service signed are signed again with
 * the present one. One thread.
 */
@Component
class StatementKeeper implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(StatementKeeper.class);
    /** Services of before a change of keys may sign with the earlier one for a while. */
    private static final long PAUSE_MINUTES = 10;

    private final PlanStatements plans;
    private final LayerStatements layers;
    private final Signing signing;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("statements").factory());
    private volatile boolean running;

    StatementKeeper(PlanStatements plans, LayerStatements layers, Signing signing) {
        this.plans = plans;
        this.layers = layers;
        this.signing = signing;
    }

    @Override
    public void start() {
        running = true;
        if (signing.isOn()) {
            var _ = thread.scheduleWithFixedDelay(this::keep, 0, PAUSE_MINUTES, TimeUnit.MINUTES);
        }
    }

    private void keep() {
        try {
            renew(plans.table());
            renew(layers.table());
        } catch (IOException | DataAccessException e) {
            LOG.warn("not all plans are signed with the present key; next attempt in {} min: {}", PAUSE_MINUTES, e);
        } catch (RuntimeException | Error e) {
            // A task that throws is not run again.
            LOG.error("plans are not signed with the present key", e);
        }
    }

    private void renew(StatementTable table) throws IOException {
        int renewed = 0;
        for (String about : table.ofOtherKeys(signing.key().orElseThrow())) {
            Optional<SignedDocument> earlier = table.find(about).filter(signing::verify);
            if (earlier.isPresent()) {
                Optional<SignedDocument> signed = signing.sign(earlier.get().document());
                renewed += signed.filter(statement -> table.replace(about, statement))
                        .map(_ -> 1)
                        .orElse(0);
            }
        }
        if (renewed > 0) {
            LOG.info("signed {} statements of an earlier key again", renewed);
        }
    }

    @Override
    public void stop() {
        running = false;
        thread.shutdownNow();
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}

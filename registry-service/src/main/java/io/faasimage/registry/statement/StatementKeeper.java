package io.faasimage.registry.statement;

import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.image.LayerStatements;
import io.faasimage.registry.plan.PlanFiles;
import io.faasimage.registry.plan.PlanStatements;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.signing.Signing;
import io.faasimage.registry.signing.StatementTable;
import io.faasimage.registry.signing.StoredSigning;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import io.faasimage.registry.tenant.Tenants;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
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
 * The upkeep of statements in the background: what an earlier key of this service signed is signed again with the
 * present one, and, once, what was stored before there was a key. One thread.
 */
@Component
class StatementKeeper implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(StatementKeeper.class);
    /** Services of before a change of keys may sign with the earlier one for a while. */
    private static final long PAUSE_MINUTES = 10;

    private final PlanStatements plans;
    private final LayerStatements layers;
    private final PlanFiles files;
    private final BlobStore blobs;
    private final Signing signing;
    private final StoredSigning stored;
    private final Tenants tenants;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("statements").factory());
    private volatile boolean running;
    private boolean storedDone;

    StatementKeeper(
            PlanStatements plans,
            LayerStatements layers,
            PlanFiles files,
            BlobStore blobs,
            Signing signing,
            StoredSigning stored,
            Tenants tenants) {
        this.plans = plans;
        this.layers = layers;
        this.files = files;
        this.blobs = blobs;
        this.signing = signing;
        this.stored = stored;
        this.tenants = tenants;
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
            if (!storedDone && stored.isDue()) {
                for (TenantName tenant : tenants.names()) {
                    TenantScope.<Boolean, IOException>call(tenant, this::signStored);
                }
                stored.done();
            }
            storedDone = true;
            for (TenantName tenant : tenants.names()) {
                TenantScope.<Boolean, IOException>call(tenant, this::renew);
            }
        } catch (IOException | DataAccessException e) {
            LOG.warn("not all plans are signed with the present key; next attempt in {} min: {}", PAUSE_MINUTES, e);
        } catch (RuntimeException | Error e) {
            // A task that throws is not run again.
            LOG.error("plans are not signed with the present key", e);
        }
    }

    private boolean renew() throws IOException {
        renew(plans.table());
        renew(layers.table());
        return true;
    }

    private boolean signStored() throws IOException {
        int signed = 0;
        for (Digest plan : plans.unsigned()) {
            signed += signPlan(plan) ? 1 : 0;
        }
        for (Blob layer : layers.unsigned()) {
            signed += signLayer(layer) ? 1 : 0;
        }
        if (signed > 0) {
            LOG.info("signed {} plans and layer indexes that were stored without a signature", signed);
        }
        return true;
    }

    private boolean signPlan(Digest plan) throws IOException {
        try {
            Optional<SignedDocument> signed = plans.sign(plan, files.plan(plan));
            signed.ifPresent(statement -> plans.add(plan, statement));
            return signed.isPresent();
        } catch (ProblemException e) {
            if (e.kind() != ProblemKind.STORAGE) {
                throw e;
            }
            LOG.warn("plan {} stays without a signature: {}", plan, e.getMessage());
            return false;
        }
    }

    private boolean signLayer(Blob blob) throws IOException {
        Digest layer = new Digest(blob.name());
        try {
            Optional<SignedDocument> signed = layers.sign(layer, Digest.of(blobs.read(blob)));
            signed.ifPresent(statement -> layers.add(layer, statement));
            return signed.isPresent();
        } catch (NoSuchFileException e) {
            // It is about to be stored, or to go.
            return false;
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

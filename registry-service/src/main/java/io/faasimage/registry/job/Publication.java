package io.faasimage.registry.job;

import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.refactor.LayerFile;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.ObjectLocation;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.blob.BlobTable;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.image.LayerStatements;
import io.faasimage.registry.job.JobClaims.Taken;
import io.faasimage.registry.object.ObjectTable;
import io.faasimage.registry.object.StoredFrames;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanStatements;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.plan.PredictionTable;
import io.faasimage.registry.prediction.PredictionReport;
import io.faasimage.registry.profile.ProfileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The publication of a job's results: first every file is synced and gets its name, then one transaction adds objects,
 * metadata images and plan and ends the job. A kill before the transaction leaves files that nothing refers to and that
 * garbage collection removes. Thread-safe; uploads run side by side, transactions of this service one after the other.
 */
@Component
class Publication {
    private final BlobStore blobs;
    private final BlobTable known;
    private final ObjectTable objects;
    private final PlanTable plans;
    private final PredictionTable predictions;
    private final ProfileStore profiles;
    private final PlanStatements planStatements;
    private final LayerStatements layerStatements;
    private final ImageTable images;
    private final JobTable jobs;
    private final JobClaims claims;
    private final TransactionOperations transaction;
    /** The embedded database gives up after two seconds of waiting for rows that another transaction has changed. */
    private final ReentrantLock committing = new ReentrantLock();

    Publication(
            BlobStore blobs,
            BlobTable known,
            ObjectTable objects,
            PlanTable plans,
            PredictionTable predictions,
            ProfileStore profiles,
            PlanStatements planStatements,
            LayerStatements layerStatements,
            ImageTable images,
            JobTable jobs,
            JobClaims claims,
            TransactionOperations transaction) {
        this.blobs = blobs;
        this.known = known;
        this.objects = objects;
        this.plans = plans;
        this.predictions = predictions;
        this.profiles = profiles;
        this.planStatements = planStatements;
        this.layerStatements = layerStatements;
        this.images = images;
        this.jobs = jobs;
        this.claims = claims;
        this.transaction = transaction;
    }

    /**
     * Publishes the result of a running job and ends it.
     *
     * @return false when the job or its image was removed meanwhile: nothing is visible then
     * @throws IOException when a file cannot be published, or the key that signs cannot be used
     * @throws OptimisticLockingFailureException when the plan refers to something that is neither in the result nor
     *     stored, or was removed as garbage since the job found it
     */
    boolean publish(Taken job, RefactorResult result) throws IOException {
        List<MetadataImage> newImages =
                result.metadataImages().stream().filter(this::isNew).toList();
        Statements statements = sign(result);
        publishFiles(result, newImages);
        List<StoredObject> packed = packed(result);
        committing.lock();
        try {
            return Boolean.TRUE.equals(
                    transaction.execute(status -> commit(job, result, newImages, packed, statements)));
        } finally {
            committing.unlock();
        }
    }

    /**
     * Ends a running job that makes no plan, because too little is known of its image's starts.
     *
     * @return false when the job or its image was removed meanwhile
     */
    boolean withoutPlan(Taken job) {
        Digest image = Digest.parse(job.job().image());
        return Boolean.TRUE.equals(transaction.execute(status -> {
            if (!images.lock(image) || !claims.done(job)) {
                return false;
            }
            images.unpredicted(image, jobs.isQueued(image));
            return true;
        }));
    }

    /**
     * The signed statements of a result.
     *
     * @param plan of the plan
     * @param layers of the indexes of new layers
     */
    private record Statements(Optional<SignedDocument> plan, Map<Digest, SignedDocument> layers) {}

    private Statements sign(RefactorResult result) throws IOException {
        Map<Digest, SignedDocument> layers = new LinkedHashMap<>();
        for (LayerFile layer : result.layers()) {
            layerStatements
                    .sign(layer.blob(), Digest.of(Files.readAllBytes(layer.file())))
                    .ifPresent(signed -> layers.put(layer.blob(), signed));
        }
        return new Statements(planStatements.sign(result.planDigest(), result.plan()), layers);
    }

    private void publishFiles(RefactorResult result, List<MetadataImage> newImages) throws IOException {
        Map<Path, Blob> files = new LinkedHashMap<>();
        result.packs()
                .forEach(pack -> files.put(
                        pack.file(), Blob.pack(String.valueOf(pack.file().getFileName()))));
        newImages.forEach(image -> files.put(image.file(), Blob.metadata(image.digest())));
        result.layers().forEach(layer -> files.put(layer.file(), Blob.layer(layer.blob())));
        Blob plan = Blob.plan(result.planDigest());
        known.protect(Stream.concat(files.values().stream(), Stream.of(plan)).toList());
        blobs.publish(files);
        blobs.write(plan, PlanCodec.encode(result.plan()));
    }

    /** A stored image is not replaced: its frame could have another length, and a reader may have it open. */
    private boolean isNew(MetadataImage image) {
        known.protect(List.of(Blob.metadata(image.digest())));
        return objects.metadata(image.digest())
                .filter(stored -> StoredFrames.isThere(blobs, stored))
                .isEmpty();
    }

    private List<StoredObject> packed(RefactorResult result) {
        List<StoredObject> packed = new ArrayList<>(result.locations().size());
        for (ObjectLocation at : result.locations()) {
            packed.add(new StoredObject(at.digest(), Blob.pack(at.pack()), at.offset(), at.storedSize(), at.rawSize()));
        }
        StoredFrames.check(blobs, packed);
        return packed;
    }

    /** All services take the rows in the same order. */
    private static List<MetadataImage> sorted(List<MetadataImage> images) {
        return images.stream()
                .sorted(Comparator.comparing(MetadataImage::digest))
                .toList();
    }

    private boolean commit(
            Taken job,
            RefactorResult result,
            List<MetadataImage> newImages,
            List<StoredObject> packed,
            Statements statements) {
        Digest image = Digest.parse(job.job().image());
        if (!images.lock(image) || !claims.done(job)) {
            return false;
        }
        objects.addAll(packed);
        for (MetadataImage metadata : sorted(newImages)) {
            objects.addMetadata(metadata.digest(), metadata.storedSize(), metadata.rawSize());
        }
        if (!result.reads().isEmpty()) {
            images.repository(image).ifPresent(repository -> profiles.put(repository, result.reads()));
        }
        result.prediction()
                .map(prediction -> PredictionReport.of(result.planDigest(), prediction))
                .ifPresent(report -> predictions.add(result.plan().trace(), image, report));
        plans.add(result.planDigest(), result.plan(), result.report().runtime(), statements.plan());
        statements.layers().forEach(layerStatements::add);
        plans.prune(image, PlanTable.KEPT);
        images.planned(
                image,
                plans.servedOf(image).orElse(result.planDigest()),
                jobs.isQueued(image) ? ImageState.REFACTORING : ImageState.PLANNED);
        return true;
    }
}

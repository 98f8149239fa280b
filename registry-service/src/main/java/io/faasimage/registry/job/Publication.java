package io.faasimage.registry.job;

import io.faasimage.api.image.ImageState;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.refactor.MetadataImage;
import io.faasimage.refactor.ObjectLocation;
import io.faasimage.refactor.RefactorResult;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.job.JobClaims.Taken;
import io.faasimage.registry.object.ObjectTable;
import io.faasimage.registry.object.StoredFrames;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.plan.PlanFigures;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The publication of a job's results: first every file is synced and gets its name, then one transaction adds objects,
 * metadata images and plan and ends the job. A kill before the transaction leaves files that nothing refers to and that
 * the next start, or where several services write the search for garbage, removes. Thread-safe; uploads run side by
 * side, transactions of this service one after the other.
 */
@Component
class Publication {
    private final BlobStore blobs;
    private final ObjectTable objects;
    private final PlanTable plans;
    private final ImageTable images;
    private final JobTable jobs;
    private final JobClaims claims;
    private final TransactionOperations transaction;
    /** The embedded database gives up after two seconds of waiting for what another transaction has changed. */
    private final ReentrantLock committing = new ReentrantLock();

    Publication(
            BlobStore blobs,
            ObjectTable objects,
            PlanTable plans,
            ImageTable images,
            JobTable jobs,
            JobClaims claims,
            TransactionOperations transaction) {
        this.blobs = blobs;
        this.objects = objects;
        this.plans = plans;
        this.images = images;
        this.jobs = jobs;
        this.claims = claims;
        this.transaction = transaction;
    }

    /**
     * Publishes the result of a running job and ends it.
     *
     * @return false when the job or its image was removed meanwhile: nothing is visible then
     * @throws IOException when a file cannot be published
     * @throws ProblemException when the plan refers to something that is neither in the result nor stored
     */
    boolean publish(Taken job, RefactorResult result) throws IOException {
        List<MetadataImage> newImages =
                result.metadataImages().stream().filter(this::isNew).toList();
        publishFiles(result, newImages);
        List<StoredObject> packed = packed(result);
        PlanFigures figures = figures(result, packed);
        committing.lock();
        try {
            blobs.write(Blob.plan(result.planDigest()), PlanCodec.encode(result.plan()));
            List<Digest> dropped = new ArrayList<>();
            boolean visible = Boolean.TRUE.equals(
                    transaction.execute(status -> commit(job, result, newImages, packed, figures, dropped)));
            for (Digest plan : dropped) {
                // Somebody may have published the same plan again since.
                if (!plans.contains(plan)) {
                    blobs.delete(Blob.plan(plan));
                }
            }
            return visible;
        } finally {
            committing.unlock();
        }
    }

    private void publishFiles(RefactorResult result, List<MetadataImage> newImages) throws IOException {
        Map<Path, Blob> files = new LinkedHashMap<>();
        result.packs()
                .forEach(pack -> files.put(
                        pack.file(), Blob.pack(String.valueOf(pack.file().getFileName()))));
        newImages.forEach(image -> files.put(image.file(), Blob.metadata(image.digest())));
        result.layers().forEach(layer -> files.put(layer.file(), Blob.layer(layer.blob())));
        blobs.publish(files);
    }

    /** A stored image is not replaced: its frame could have another length, and somebody may be reading it. */
    private boolean isNew(MetadataImage image) {
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

    private PlanFigures figures(RefactorResult result, List<StoredObject> packed) {
        Map<Digest, StoredObject> places = new HashMap<>();
        packed.forEach(object -> places.put(object.digest(), object));
        List<Digest> elsewhere = result.plan().objects().stream()
                .map(PlanObject::digest)
                .filter(digest -> !places.containsKey(digest))
                .toList();
        places.putAll(objects.find(elsewhere));
        return PlanFigures.of(result.plan(), object -> {
            StoredObject place = places.get(object.digest());
            if (place == null) {
                throw new IllegalStateException("object " + object.digest() + " of the plan was not packed");
            }
            return place.storedLength();
        });
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
            PlanFigures figures,
            List<Digest> dropped) {
        Digest image = Digest.parse(job.job().image());
        if (!images.lock(image) || !claims.done(job)) {
            return false;
        }
        objects.addAll(packed);
        for (MetadataImage metadata : sorted(newImages)) {
            objects.addMetadata(metadata.digest(), metadata.storedSize(), metadata.rawSize());
        }
        plans.add(result.planDigest(), result.plan(), figures, result.report().runtime());
        dropped.addAll(plans.prune(image, PlanTable.KEPT));
        images.planned(
                image,
                plans.servedOf(image).orElse(result.planDigest()),
                jobs.isQueued(image) ? ImageState.REFACTORING : ImageState.PLANNED);
        return true;
    }
}

package io.faasimage.registry.store.bundle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.faasimage.format.bundle.Delta;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredContents;
import io.faasimage.registry.store.object.StoredObject;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanLayouts;
import io.faasimage.registry.store.plan.PlanTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The differences between plans, with their metadata images, for nodes that have another version of an image: one in
 * which at most the topmost layer differs. Others would not be small, and a start waits for them. The last used ones
 * are kept, since all nodes request the same ones after a deployment. Thread-safe.
 */
@Component
class PlanDeltas {
    private static final Logger LOG = LoggerFactory.getLogger(PlanDeltas.class);
    private static final int KEPT = 32;

    private final PlanTable plans;
    private final PlanLayouts layouts;
    private final ObjectTable objects;
    private final BlobStore blobs;
    private final Cache<Key, DocumentDeltas> made =
            Caffeine.newBuilder().maximumSize(KEPT).build();

    private record Key(Digest base, Digest plan) {}

    PlanDeltas(PlanTable plans, PlanLayouts layouts, ObjectTable objects, BlobStore blobs) {
        this.plans = plans;
        this.layouts = layouts;
        this.objects = objects;
        this.blobs = blobs;
    }

    /** The differences of {@code plan} to another version among {@code bases}, if there is one. */
    Optional<DocumentDeltas> of(PlanLayout plan, List<Digest> bases) {
        Optional<Digest> base = plans.versionOf(plan.plan(), bases);
        if (base.isEmpty() || plan.metadata().rawSize() > Delta.MAX_BYTES) {
            return Optional.empty();
        }
        Key key = new Key(base.get(), plan.digest());
        DocumentDeltas known = made.getIfPresent(key);
        if (known != null) {
            return Optional.of(known);
        }
        Optional<DocumentDeltas> deltas = layouts.find(base.get()).flatMap(from -> make(from, plan));
        deltas.ifPresent(smaller -> made.put(key, smaller));
        return deltas;
    }

    private Optional<DocumentDeltas> make(PlanLayout base, PlanLayout plan) {
        if (base.metadata().rawSize() > Delta.MAX_BYTES) {
            return Optional.empty();
        }
        try {
            StoredContents contents = new StoredContents(objects, blobs);
            StoredObject metadata = plan.metadata();
            Optional<Delta> ofPlan = Delta.of(base.digest(), base.encoded(), plan.digest(), plan.encoded());
            Optional<Delta> ofMetadata = Delta.of(
                    base.metadata().digest(),
                    contents.read(base.metadata().digest()),
                    metadata.digest(),
                    contents.read(metadata.digest()));
            return ofPlan.isPresent()
                            && ofMetadata.isPresent()
                            && ofPlan.get().encodedLength() < plan.encodedLength()
                            && ofMetadata.get().encodedLength() < metadata.storedLength()
                    ? Optional.of(new DocumentDeltas(ofPlan.get(), ofMetadata.get()))
                    : Optional.empty();
        } catch (IOException | ProblemException e) {
            // The fault shows when the whole documents are sent, or does not matter.
            LOG.warn("plan {} is sent whole: {}", plan.digest(), e.getMessage());
            return Optional.empty();
        }
    }
}

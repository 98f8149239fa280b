package io.faasimage.registry.store.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredObject;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The blobs that each plan needs: its file, its metadata images and the packs of its objects. Thread-safe. */
@Repository
public class PlanBlobs {
    private final JdbcClient jdbc;
    private final ObjectTable objects;

    PlanBlobs(JdbcClient jdbc, ObjectTable objects) {
        this.jdbc = jdbc;
        this.objects = objects;
    }

    /**
     * Adds the blobs that a plan needs. Needs a transaction; until its end no object gets another place, and no blob
     * becomes garbage.
     *
     * @return the plan's objects
     * @throws OptimisticLockingFailureException when some of it is not stored, or not any more
     */
    public Map<Digest, StoredObject> add(Digest digest, Plan plan) {
        objects.keepPlaces();
        Set<Digest> needed = plan.objects().stream().map(PlanObject::digest).collect(Collectors.toSet());
        Map<Digest, StoredObject> places = objects.find(needed);
        Set<Digest> metadata = plan.layers().stream().map(PlanLayer::metadata).collect(Collectors.toSet());
        if (places.size() < needed.size()
                || metadata.stream().map(objects::metadata).anyMatch(Optional::isEmpty)) {
            throw missing(digest, "an object or a metadata image");
        }
        for (int i = 0; i < plan.startupCount(); i++) {
            Digest object = plan.objects().get(i).digest();
            StoredObject place = Objects.requireNonNull(places.get(object));
            if (place.storedLength() != plan.prefetch().get(i).frames().storedSize()) {
                throw missing(digest, "the former frames of object " + object);
            }
        }
        Stream.of(
                        Stream.of(Blob.plan(digest)),
                        metadata.stream().map(Blob::metadata),
                        places.values().stream().map(StoredObject::blob))
                .flatMap(blobs -> blobs)
                .distinct()
                .forEach(blob -> add(digest, blob));
        return places;
    }

    private void add(Digest plan, Blob blob) {
        try {
            jdbc.sql("INSERT INTO plan_blobs (plan, blob) VALUES (?, ?)")
                    .params(plan.toString(), blob.toString())
                    .update();
        } catch (DataIntegrityViolationException e) {
            throw missing(plan, blob.toString());
        }
    }

    private static OptimisticLockingFailureException missing(Digest plan, String what) {
        return new OptimisticLockingFailureException(
                "plan " + plan + " needs " + what + " that is not stored, or was removed meanwhile");
    }
}

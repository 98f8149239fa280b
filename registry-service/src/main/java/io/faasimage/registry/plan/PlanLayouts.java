package io.faasimage.registry.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.blob.Blobs;
import io.faasimage.registry.config.RegistrySettings;
import io.faasimage.registry.object.ObjectTable;
import io.faasimage.registry.object.StoredObject;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Plans with their layouts; the last used ones are kept. Thread-safe. */
@Component
public class PlanLayouts {
    private final PlanTable plans;
    private final ObjectTable objects;
    private final Blobs blobs;
    private final int limit;
    private final Map<Digest, PlanLayout> recent = new LinkedHashMap<>(16, 0.75f, true);

    PlanLayouts(PlanTable plans, ObjectTable objects, Blobs blobs, RegistrySettings settings) {
        this.plans = plans;
        this.objects = objects;
        this.blobs = blobs;
        this.limit = settings.cachedLayouts();
    }

    /** The layout of a plan; empty when there is no such plan. */
    public Optional<PlanLayout> find(Digest plan) {
        if (!plans.contains(plan)) {
            forget(plan);
            return Optional.empty();
        }
        @Nullable PlanLayout known;
        synchronized (recent) {
            known = recent.get(plan);
        }
        return Optional.of(known == null ? load(plan) : known);
    }

    /** Drops a layout, so that places are looked up anew. */
    public void forget(Digest plan) {
        synchronized (recent) {
            recent.remove(plan);
        }
    }

    /** Drops all layouts. */
    public void forgetAll() {
        synchronized (recent) {
            recent.clear();
        }
    }

    private PlanLayout load(Digest digest) {
        byte[] encoded = read(digest);
        PlanLayout layout = layout(digest, encoded);
        synchronized (recent) {
            recent.put(digest, layout);
            while (recent.size() > limit) {
                recent.remove(recent.keySet().iterator().next());
            }
        }
        return layout;
    }

    /** The bytes of a plan that is in the table, checked against its name. */
    public byte[] read(Digest digest) {
        Path file = blobs.plans().path(digest.hex());
        byte[] encoded;
        try {
            encoded = Files.readAllBytes(file);
        } catch (IOException e) {
            throw damaged(digest, "its file cannot be read (" + e + ")");
        }
        if (!Digest.of(encoded).equals(digest)) {
            throw damaged(digest, "the bytes of its file are not those that were written");
        }
        return encoded;
    }

    private PlanLayout layout(Digest digest, byte[] encoded) {
        Plan plan;
        try {
            plan = PlanCodec.decode(encoded);
        } catch (IOException e) {
            throw damaged(digest, String.valueOf(e.getMessage()));
        }
        StoredObject metadata = objects.metadata(plan.layers().getLast().metadata())
                .orElseThrow(() -> damaged(digest, "its metadata image is not stored"));
        Map<Digest, StoredObject> places =
                objects.find(plan.objects().stream().map(PlanObject::digest).toList());
        List<StoredObject> ordered = new ArrayList<>(plan.objects().size());
        for (PlanObject object : plan.objects()) {
            StoredObject place = places.get(object.digest());
            if (place == null) {
                throw damaged(digest, "object " + object.digest() + " is not stored");
            }
            ordered.add(place);
        }
        return new PlanLayout(digest, encoded, plan, metadata, ordered);
    }

    private static ProblemException damaged(Digest plan, String reason) {
        return new ProblemException(
                ProblemKind.STORAGE,
                "plan " + plan + " is damaged: " + reason + "; POST /v1/images/{digest}/refactor makes it again");
    }
}

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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Plans with their layouts; the last used ones are kept, up to a number of objects in all. Thread-safe. */
@Component
public class PlanLayouts {
    private final PlanTable plans;
    private final ObjectTable objects;
    private final Blobs blobs;
    private final RecentlyUsed<PlanLayout> recent;
    private final RecentlyUsed<Set<Digest>> startups;

    PlanLayouts(PlanTable plans, ObjectTable objects, Blobs blobs, RegistrySettings settings) {
        this.plans = plans;
        this.objects = objects;
        this.blobs = blobs;
        this.recent = new RecentlyUsed<>(
                settings.cachedObjects(), layout -> layout.objects().size());
        this.startups = new RecentlyUsed<>(settings.cachedObjects(), Set::size);
    }

    /** The layout of a plan; empty when there is no such plan. */
    public Optional<PlanLayout> find(Digest plan) {
        if (!plans.contains(plan)) {
            forget(plan);
            return Optional.empty();
        }
        return Optional.of(recent.get(plan).orElseGet(() -> load(plan)));
    }

    /** The objects of a plan's start-up set, wherever they lie; empty when there is no such plan. */
    public Set<Digest> startup(Digest plan) {
        if (!plans.contains(plan)) {
            startups.remove(plan);
            return Set.of();
        }
        return startups.get(plan).orElseGet(() -> {
            Set<Digest> startup = decode(plan, read(plan)).startup().stream()
                    .map(PlanObject::digest)
                    .collect(Collectors.toUnmodifiableSet());
            startups.put(plan, startup);
            return startup;
        });
    }

    /** Drops a layout, so that places are looked up anew. */
    public void forget(Digest plan) {
        recent.remove(plan);
    }

    /** Drops all layouts. */
    public void forgetAll() {
        recent.clear();
    }

    private PlanLayout load(Digest digest) {
        PlanLayout layout = layout(digest, read(digest));
        recent.put(digest, layout);
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

    private static Plan decode(Digest digest, byte[] encoded) {
        try {
            return PlanCodec.decode(encoded);
        } catch (IOException e) {
            throw damaged(digest, String.valueOf(e.getMessage()));
        }
    }

    private PlanLayout layout(Digest digest, byte[] encoded) {
        Plan plan = decode(digest, encoded);
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

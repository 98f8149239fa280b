package io.faasimage.registry.store.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.store.object.ObjectTable;
import io.faasimage.registry.store.object.StoredObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;

/**
 * Plans with their layouts; the last used ones are kept, up to a number of objects in all. Objects are numbered anew
 * when too many have a number, because numbers are never reused. Thread-safe.
 */
@Component
public class PlanLayouts {
    private final PlanTable plans;
    private final PlanFiles files;
    private final ObjectTable objects;
    private final Cache<Digest, PlanLayout> recent;
    private final long maxNumbers;
    private long epoch;
    private ObjectNumbers numbering = new ObjectNumbers();

    PlanLayouts(PlanTable plans, PlanFiles files, ObjectTable objects, RegistrySettings settings) {
        this.plans = plans;
        this.files = files;
        this.objects = objects;
        this.recent = Caffeine.newBuilder()
                .maximumWeight(settings.cachedObjects())
                // A plan of more objects than all may have is kept, too, alone. Frames count as objects.
                .weigher((Digest plan, PlanLayout layout) ->
                        Math.min(settings.cachedObjects(), layout.numbers().count()))
                .build();
        this.maxNumbers = 2L * settings.cachedObjects();
    }

    /** The layout of a plan; empty when there is no such plan. */
    public Optional<PlanLayout> find(Digest plan) {
        OptionalLong places = plans.placesOf(plan);
        if (places.isEmpty()) {
            forget(plan);
            return Optional.empty();
        }
        forgetBefore(places.getAsLong());
        ObjectNumbers current = numbering();
        return Optional.of(Optional.ofNullable(recent.getIfPresent(plan))
                .filter(layout -> layout.index().numbering() == current)
                .orElseGet(() -> load(plan, current, places.getAsLong())));
    }

    private synchronized ObjectNumbers numbering() {
        if (numbering.size() > maxNumbers + cachedObjects()) {
            numbering = new ObjectNumbers();
        }
        return numbering;
    }

    private long cachedObjects() {
        return recent.policy().eviction().orElseThrow().weightedSize().orElse(0);
    }

    /** Drops a layout, so that places are looked up anew. */
    public void forget(Digest plan) {
        recent.invalidate(plan);
    }

    /** Drops all layouts when objects have got other places since they were read, whichever service gave these. */
    private synchronized void forgetBefore(long now) {
        if (now != epoch) {
            recent.invalidateAll();
            epoch = now;
        }
    }

    private PlanLayout load(Digest digest, ObjectNumbers current, long read) {
        PlanLayout layout = layout(digest, files.read(digest), current);
        keep(digest, layout, read);
        return layout;
    }

    /** Keeps a layout unless objects have got other places since it was begun: it may have the old ones. */
    private synchronized void keep(Digest digest, PlanLayout layout, long read) {
        if (read == epoch) {
            recent.put(digest, layout);
        }
    }

    private PlanLayout layout(Digest digest, byte[] encoded, ObjectNumbers current) {
        Plan plan = PlanFiles.decode(digest, encoded);
        StoredObject metadata = objects.metadata(plan.layers().getLast().metadata())
                .orElseThrow(() -> PlanFiles.damaged(digest, "its metadata image is not stored"));
        PlanLayout layout = new PlanLayout(
                digest,
                encoded,
                plan,
                plans.isPredicted(digest),
                metadata,
                PlanIndex.of(plan, current),
                wanted -> places(digest, wanted));
        layout.changed().ifPresent(object -> {
            throw PlanFiles.damaged(digest, "object " + object.digest() + " was stored again in other frames");
        });
        return layout;
    }

    private List<StoredObject> places(Digest plan, List<PlanObject> wanted) {
        Map<Digest, StoredObject> places =
                objects.find(wanted.stream().map(PlanObject::digest).toList());
        List<StoredObject> ordered = new ArrayList<>(wanted.size());
        for (PlanObject object : wanted) {
            StoredObject place = places.get(object.digest());
            if (place == null) {
                throw PlanFiles.damaged(plan, "object " + object.digest() + " is not stored");
            }
            ordered.add(place);
        }
        return ordered;
    }
}

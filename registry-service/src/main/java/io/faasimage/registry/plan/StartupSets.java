package io.faasimage.registry.plan;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.config.RegistrySettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.roaringbitmap.RoaringBitmap;
import org.springframework.stereotype.Component;

/** The start-up sets of plans as sets of numbers; the last used ones are kept. Thread-safe. */
@Component
public class StartupSets {
    private record Startup(ObjectNumbers numbering, RoaringBitmap set) {}

    private final PlanTable plans;
    private final PlanFiles files;
    private final RecentlyUsed<Startup> recent;

    StartupSets(PlanTable plans, PlanFiles files, RegistrySettings settings) {
        this.plans = plans;
        this.files = files;
        this.recent = new RecentlyUsed<>(
                settings.cachedObjects(), startup -> startup.set().getCardinality());
    }

    /** The start-up sets of those of the plans that are known, in the numbers of {@code wanted}. */
    public List<RoaringBitmap> of(Collection<Digest> held, PlanIndex wanted) {
        List<RoaringBitmap> sets = new ArrayList<>(held.size());
        List<Digest> others = new ArrayList<>();
        for (Digest plan : held) {
            Optional<Startup> startup = recent.get(plan).filter(set -> set.numbering() == wanted.numbering());
            startup.ifPresentOrElse(set -> sets.add(set.set()), () -> others.add(plan));
        }
        for (Digest plan : plans.known(others)) {
            sets.add(load(plan, wanted.numbering()));
        }
        return sets;
    }

    private RoaringBitmap load(Digest plan, ObjectNumbers numbering) {
        RoaringBitmap set = PlanIndex.setOf(files.plan(plan).startup(), numbering);
        recent.put(plan, new Startup(numbering, set));
        return set;
    }
}

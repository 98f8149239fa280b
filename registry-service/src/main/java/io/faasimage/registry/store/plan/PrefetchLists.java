package io.faasimage.registry.store.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.platform.problem.ProblemException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.roaringbitmap.RoaringBitmap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** The prefetch lists of plans as sets of numbers; the last used ones are kept. Thread-safe. */
@Component
public class PrefetchLists implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrefetchLists.class);
    private static final int READ_AT_ONCE = 4;
    private static final int MOST_QUEUED = 1000;

    private record Startup(ObjectNumbers numbering, RoaringBitmap set) {}

    private final PlanTable plans;
    private final PlanFiles files;
    private final Cache<Digest, Startup> recent;
    private final Set<Digest> queued = ConcurrentHashMap.newKeySet();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("start-up-sets").factory());

    PrefetchLists(PlanTable plans, PlanFiles files, RegistrySettings settings) {
        this.plans = plans;
        this.files = files;
        this.recent = Caffeine.newBuilder()
                .maximumWeight(settings.cachedObjects())
                .weigher((Digest plan, Startup startup) ->
                        Math.min(settings.cachedObjects(), startup.set().getCardinality()))
                .build();
    }

    /**
     * The prefetch lists of those of the plans that are known, in the numbers of {@code wanted}. A start waits for
     * this: a few that are not kept are read at once, the others in the background for the next request; until then the
     * node is also sent objects that it has already.
     */
    public List<RoaringBitmap> of(Collection<Digest> held, PlanIndex wanted) {
        List<RoaringBitmap> sets = new ArrayList<>(held.size());
        List<Digest> others = new ArrayList<>();
        for (Digest plan : held) {
            Optional<Startup> startup = find(plan, wanted.numbering());
            startup.ifPresentOrElse(set -> sets.add(set.set()), () -> others.add(plan));
        }
        Set<Digest> known = plans.known(others);
        others.retainAll(known);
        int now = Math.min(others.size(), READ_AT_ONCE);
        others.subList(0, now).forEach(plan -> sets.add(load(plan, wanted.numbering())));
        others.subList(now, others.size()).forEach(plan -> later(plan, wanted.numbering()));
        return sets;
    }

    /** Keeps the prefetch list of a plan that is being sent: its node is going to name it as held. */
    public void sent(PlanLayout layout) {
        ObjectNumbers numbering = layout.index().numbering();
        if (find(layout.digest(), numbering).isEmpty()) {
            keep(layout.digest(), layout.plan(), numbering);
        }
    }

    private Optional<Startup> find(Digest plan, ObjectNumbers numbering) {
        return Optional.ofNullable(recent.getIfPresent(plan)).filter(set -> set.numbering() == numbering);
    }

    private void later(Digest plan, ObjectNumbers numbering) {
        if (queued.size() < MOST_QUEUED && queued.add(plan)) {
            thread.execute(() -> {
                queued.remove(plan);
                try {
                    load(plan, numbering);
                } catch (ProblemException e) {
                    LOG.warn("the prefetch list of plan {} could not be read: {}", plan, e.getMessage());
                }
            });
        }
    }

    private RoaringBitmap load(Digest plan, ObjectNumbers numbering) {
        return keep(plan, files.plan(plan), numbering);
    }

    private RoaringBitmap keep(Digest digest, Plan plan, ObjectNumbers numbering) {
        RoaringBitmap set = PlanIndex.setOf(plan.startup(), numbering);
        recent.put(digest, new Startup(numbering, set));
        return set;
    }

    /** Drops the queued requests. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

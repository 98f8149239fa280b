package io.faasimage.node.storage;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.store.HeldObject;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects of a tier in the order in which they are missed least: by the last use of the plans that have them, and what no
 * start reads before what one does. Used by one thread; memory for what is held, not for all that plans name.
 */
final class Ranking {
    private final Map<Digest, Candidate> candidates = new HashMap<>();

    /** One object. Changed while plans are looked at. */
    private static final class Candidate {
        private final long bytes;
        /** Of the plans that have it; of the object itself while no plan is known to have it: a runtime's base, brought ahead. */
        private Instant used;

        private boolean planned;
        private boolean startup;
        private boolean needed;

        Candidate(HeldObject object) {
            this.bytes = object.bytes();
            this.used = object.written();
        }

        void isIn(Instant planUsed, boolean inStartup, boolean planNeeded) {
            used = planned && used.isAfter(planUsed) ? used : planUsed;
            planned = true;
            startup |= inStartup;
            needed |= planNeeded;
        }
    }

    /**
     * Objects chosen.
     *
     * @param digests the least missed first
     * @param bytes their sizes together
     */
    record Choice(List<Digest> digests, long bytes) {
        Choice {
            digests = List.copyOf(digests);
        }
    }

    /** The objects of {@code tier}, none of a plan yet. */
    Ranking(ObjectStore store, Tier tier) throws IOException {
        store.forEach(tier, object -> candidates.put(object.digest(), new Candidate(object)));
    }

    /**
     * Looks which plans have the objects.
     *
     * @param needed plans whose objects are never chosen
     */
    Ranking with(PlanStore plans, Set<Digest> needed) throws IOException {
        for (StoredPlan stored : plans.all()) {
            Optional<Plan> plan = plans.loadIfHere(stored.digest());
            if (plan.isPresent()) {
                Instant used = plans.uses().last(stored.digest());
                boolean isNeeded = needed.contains(stored.digest());
                for (int i = 0; i < plan.get().objects().size(); i++) {
                    Candidate candidate =
                            candidates.get(plan.get().objects().get(i).digest());
                    if (candidate != null) {
                        candidate.isIn(used, i < plan.get().startupCount(), isNeeded);
                    }
                }
            }
        }
        return this;
    }

    /** The least missed objects of together {@code bytes} or a little more; less when the others are needed. */
    Choice choose(long bytes) {
        List<Digest> chosen = new ArrayList<>();
        long sum = 0;
        List<Map.Entry<Digest, Candidate>> sorted = candidates.entrySet().stream()
                .filter(entry -> !entry.getValue().needed)
                .sorted(Comparator.<Map.Entry<Digest, Candidate>, Instant>comparing(entry -> entry.getValue().used)
                        .thenComparing(entry -> entry.getValue().startup))
                .toList();
        for (Map.Entry<Digest, Candidate> entry : sorted) {
            if (sum >= bytes) {
                break;
            }
            chosen.add(entry.getKey());
            sum += entry.getValue().bytes;
        }
        return new Choice(chosen, sum);
    }

    /** Those that no plan has that was looked at. */
    Set<Digest> without(Collection<StoredPlan> kept, PlanStore plans) throws IOException {
        Set<Digest> left = new HashSet<>(candidates.keySet());
        for (StoredPlan stored : kept) {
            plans.load(stored.digest()).objects().forEach(object -> left.remove(object.digest()));
        }
        return left;
    }

    /** The plans whose start-up sets have one of {@code objects}. */
    static Set<Digest> losers(Collection<Digest> objects, PlanStore plans) throws IOException {
        Set<Digest> gone = Set.copyOf(objects);
        Set<Digest> losers = new HashSet<>();
        for (StoredPlan stored : plans.all()) {
            boolean loses = plans.loadIfHere(stored.digest()).stream()
                    .flatMap(plan -> plan.startup().stream())
                    .anyMatch(object -> gone.contains(object.digest()));
            if (loses) {
                losers.add(stored.digest());
            }
        }
        return losers;
    }
}

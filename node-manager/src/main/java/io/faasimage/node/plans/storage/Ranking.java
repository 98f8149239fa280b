package io.faasimage.node.plans.storage;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.object.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The objects of a store by how much they are missed: each has the level of the plan that misses it most, and a higher
 * one when a start reads it. Used by one thread. Memory does not grow with the store: its objects are gone through in
 * portions, and the plans are read again for each.
 */
final class Ranking {
    /** Objects of one portion, or a few more. */
    private static final int PORTION = 250_000;

    private final ObjectStore store;
    private final PlanStore plans;
    private final List<Digest> order;
    private final int unplanned;
    /** One more than the levels; 0 for an object without a plan. */
    private final ObjectTable table = new ObjectTable();

    /**
     * A ranking that has read nothing yet.
     *
     * @param order plans, the least missed first; objects of other plans are never chosen
     * @param unplanned objects without a plan rank as the plan at this place, 0 to the number of plans
     */
    Ranking(ObjectStore store, PlanStore plans, List<Digest> order, int unplanned) {
        this.store = store;
        this.plans = plans;
        this.order = List.copyOf(order);
        this.unplanned = unplanned;
    }

    /**
     * The least missed objects.
     *
     * @param level all below it
     * @param rest bytes of those in it, or a little more
     * @param bytes of all that are chosen, or a little less
     */
    record Choice(int level, long rest, long bytes) {}

    /** A visitor of an object. */
    @FunctionalInterface
    interface Action {
        void take(StoredObject object) throws IOException;
    }

    /** A visitor of an object with its level. */
    @FunctionalInterface
    private interface Visit {
        void take(StoredObject object, int level) throws IOException;
    }

    /** Chooses objects of together {@code bytes}; less when there are not as many. */
    Choice choose(long bytes) throws IOException {
        long[] sums = new long[never() + 1];
        visit((object, level) -> sums[level] += object.bytes());
        long below = 0;
        for (int level = 0; level < never(); level++) {
            if (below + sums[level] >= bytes) {
                return new Choice(level, bytes - below, bytes);
            }
            below += sums[level];
        }
        return new Choice(never(), 0, below);
    }

    /** Visits the chosen objects. */
    void forEach(Choice choice, Action action) throws IOException {
        long[] left = {choice.rest()};
        visit((object, level) -> {
            if (level < choice.level() || (level == choice.level() && left[0] > 0)) {
                left[0] -= level == choice.level() ? object.bytes() : 0;
                action.take(object);
            }
        });
    }

    /** Visits the objects without a plan. */
    void forEachUnplanned(Action action) throws IOException {
        visit((object, _) -> {
            if (table.level(object.digest()) == 0) {
                action.take(object);
            }
        });
    }

    /** The plans whose prefetch lists may lose objects. */
    Set<Digest> losers(Choice choice) {
        return order.stream().limit((choice.level() + 1) / 2).collect(Collectors.toSet());
    }

    private static int rest(int place) {
        return 2 * place;
    }

    private static int startup(int place) {
        return 2 * place + 1;
    }

    /** Of objects of other plans, and of those that came since they were listed. */
    private int never() {
        return rest(order.size()) + 1;
    }

    private void visit(Visit visit) throws IOException {
        int part = 0;
        while (part < ObjectStore.PARTS) {
            int end = list(part);
            raise();
            for (; part < end; part++) {
                visit(part, visit);
            }
        }
    }

    /** Puts the objects from {@code part} on into the table; returns the first part that is not in it. */
    private int list(int part) throws IOException {
        table.clear();
        int end = part;
        while (end < ObjectStore.PARTS && table.size() < PORTION) {
            store.forEach(end, object -> table.add(object.digest()));
            end++;
        }
        return end;
    }

    /** After the objects were listed: one that is there and planned has its plan here. */
    private void raise() throws IOException {
        if (table.size() == 0) {
            return;
        }
        for (int place = 0; place < order.size(); place++) {
            raise(order.get(place), rest(place), startup(place));
        }
        Set<Digest> ordered = Set.copyOf(order);
        for (StoredPlan other : plans.all()) {
            if (!ordered.contains(other.digest())) {
                raise(other.digest(), never(), never());
            }
        }
    }

    private void raise(Digest digest, int restLevel, int startupLevel) throws IOException {
        Optional<Plan> plan = plans.loadIfHere(digest);
        if (plan.isPresent()) {
            plan.get().rest().forEach(object -> table.raise(object.digest(), restLevel + 1));
            plan.get().startup().forEach(object -> table.raise(object.digest(), startupLevel + 1));
        }
    }

    private void visit(int part, Visit visit) throws IOException {
        try {
            store.forEach(part, object -> {
                try {
                    visit.take(object, level(object));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private int level(StoredObject object) {
        int level = table.level(object.digest());
        if (level < 0) {
            return never();
        }
        return level == 0 ? rest(unplanned) : level - 1;
    }
}

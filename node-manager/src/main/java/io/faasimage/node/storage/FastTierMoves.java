package io.faasimage.node.storage;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.lazy.PlanRetention;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.storage.Ranking.Choice;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The moves of objects between the tiers: the least recently used leave the fast one, start-up sets that are used again
 * and again come to it. One pass at a time; the counts are read by any thread.
 */
public final class FastTierMoves {
    private static final String TOPIC = "storage";
    /** Parts of the fast tier, in percent: when objects leave it, down to where, and up to where others come to it. */
    private static final int FULL = 90;

    private static final int EMPTIED = 75;
    private static final int PROMOTED = 85;
    private static final int PERCENT = 100;

    private final ObjectStore store;
    private final PlanStore plans;
    private final PlanRetention retention;
    private final Budgets budgets;
    private final Events events;
    private final LongAdder demoted = new LongAdder();
    private final LongAdder promoted = new LongAdder();
    private boolean fastLost;

    /** Moves within {@code budgets}; {@code events} receives moves and failures. */
    public FastTierMoves(ObjectStore store, PlanStore plans, PlanRetention retention, Budgets budgets, Events events) {
        this.store = store;
        this.plans = plans;
        this.retention = retention;
        this.budgets = budgets;
        this.events = events;
    }

    /** Finishes moves that were cut short. */
    void finish() throws IOException {
        store.dropDoubles();
    }

    /** Objects that left the fast tier. */
    long demoted() {
        return demoted.sum();
    }

    /** Objects that came to the fast tier. */
    long promoted() {
        return promoted.sum();
    }

    /** The fast tier's file system is gone, and its objects with it. */
    void noticeLoss() throws IOException {
        if (fastLost || store.fastDirectory().isEmpty() || store.isFastThere()) {
            return;
        }
        fastLost = true;
        events.fallback(
                TOPIC,
                "the fast tier at " + store.fastDirectory().get()
                        + " is not mounted any more: everything goes to the capacity tier; mount it and restart"
                        + " the agent");
        retention.losing(digests()).close();
    }

    private List<Digest> digests() {
        return plans.all().stream().map(StoredPlan::digest).toList();
    }

    /** Moves the least recently used objects down when the fast tier is full. */
    void demote() throws IOException {
        if (!store.isFastThere()) {
            return;
        }
        long limit = store.fastLimit();
        long used = store.usage(Tier.FAST).bytes();
        if (used <= part(limit, FULL)) {
            return;
        }
        // An object with two names would not become free.
        store.checkpoint();
        List<Digest> order = plans.uses().leastUsedFirst(digests());
        Ranking ranking =
                new Ranking(store, Tier.FAST, plans, order, plans.marks().unplannedPlace(order));
        Choice choice = ranking.choose(used - part(limit, EMPTIED));
        long[] moved = {0};
        ranking.forEach(choice, object -> moved[0] += store.move(object.digest(), Tier.CAPACITY) ? 1 : 0);
        demoted.add(moved[0]);
        events.info(TOPIC, moved[0] + " objects (" + choice.bytes() + " bytes) left the fast tier");
    }

    /** Moves start-up sets up that are used again and again; not while something is pulled. */
    void promote() throws IOException {
        if (!store.isFastThere() || retention.isPulling()) {
            return;
        }
        List<StoredPlan> often = plans.all().stream()
                .filter(plan -> plans.uses().startsWithin(plan.digest(), budgets.often()) >= budgets.oftenStarts())
                .sorted(Comparator.comparingLong(
                                (StoredPlan plan) -> plans.uses().last(plan.digest()))
                        .reversed())
                .toList();
        long room = part(store.fastLimit(), PROMOTED) - store.usage(Tier.FAST).bytes();
        room = Math.min(room, budgets.promotionBytes());
        for (StoredPlan plan : often) {
            room = promote(plan, room);
            if (room <= 0 || retention.isPulling()) {
                return;
            }
        }
    }

    /**
     * Moves the objects of a prefetch list that are in the capacity tier, in the order of the reads; returns the room
     * left.
     */
    private long promote(StoredPlan stored, long most) throws IOException {
        long room = most;
        for (PlanObject object : startup(stored)) {
            boolean below = room >= object.size()
                    && store.tierOf(object.digest())
                            .filter(Tier.CAPACITY::equals)
                            .isPresent();
            if (below && store.move(object.digest(), Tier.FAST)) {
                room -= object.size();
                promoted.increment();
            }
        }
        if (room < most) {
            events.info(
                    TOPIC,
                    (most - room) + " bytes of plan " + stored.digest() + " came to the fast tier: it starts often");
        }
        return room;
    }

    private List<PlanObject> startup(StoredPlan stored) throws IOException {
        return plans.loadIfHere(stored.digest()).map(plan -> plan.startup()).orElse(List.of());
    }

    private static long part(long whole, int percent) {
        return whole / PERCENT * percent;
    }
}

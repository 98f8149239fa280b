package io.faasimage.node.prefetch;

import io.faasimage.format.id.Digest;
import io.faasimage.node.pull.Pull;
import java.io.IOException;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The plans whose whole prefetch list was seen on this disk by this process. A pull during which objects were dropped
 * does not count: it may have found one that is gone now. Thread-safe.
 */
final class HeldPlans {
    private final Set<Digest> held = ConcurrentHashMap.newKeySet();
    /** Pulls that were running when objects were dropped. */
    private final Set<Pull> doubtful = Collections.newSetFromMap(new WeakHashMap<>());

    private long losses;
    private int drops;

    /** An action that may fail. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException;
    }

    boolean contains(Digest plan) {
        return held.contains(plan);
    }

    /** The number of losses of objects so far; read before a pull begins, or while it runs. */
    synchronized long losses() {
        return losses;
    }

    /**
     * Adds a plan whose pull got everything, and runs {@code action}, during which no object is dropped. Returns false
     * when the pull proves nothing, or the plan is held already.
     */
    synchronized boolean add(Digest plan, Pull pull, long lossesBefore, Runnable action) {
        boolean sound = drops == 0 && losses == lossesBefore && !doubtful.contains(pull);
        boolean added = sound && held.add(plan);
        if (added) {
            action.run();
        }
        return added;
    }

    /** Objects of {@code plans} are about to be dropped, while {@code running} continue. */
    synchronized void lose(Collection<Digest> plans, Collection<Pull> running) {
        losses++;
        drops++;
        held.removeAll(Set.copyOf(plans));
        doubtful.addAll(running);
    }

    /** They were dropped. */
    synchronized void lost(Collection<Pull> running) {
        losses++;
        drops--;
        doubtful.addAll(running);
    }

    /** Runs {@code action} unless the plan is not held any more; no object is dropped meanwhile. */
    synchronized void ifHeld(Digest plan, Action action) throws IOException {
        if (held.contains(plan)) {
            action.run();
        }
    }
}

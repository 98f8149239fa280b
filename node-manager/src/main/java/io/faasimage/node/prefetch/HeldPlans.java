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
 * has seen nothing: it may have found one that is gone now. Thread-safe.
 */
final class HeldPlans {
    private final Set<Digest> held = ConcurrentHashMap.newKeySet();
    /** Pulls that were running when objects went. */
    private final Set<Pull> doubtful = Collections.newSetFromMap(new WeakHashMap<>());

    private long losses;
    private int going;

    /** Does something that may fail. */
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
     * A pull got everything; false when that says nothing, or is known. Else runs {@code action}; nothing is lost
     * meanwhile.
     */
    synchronized boolean add(Digest plan, Pull pull, long lossesBefore, Runnable action) {
        boolean sound = going == 0 && losses == lossesBefore && !doubtful.contains(pull);
        boolean added = sound && held.add(plan);
        if (added) {
            action.run();
        }
        return added;
    }

    /** Objects of {@code plans} are about to go, while {@code running} continue. */
    synchronized void lose(Collection<Digest> plans, Collection<Pull> running) {
        losses++;
        going++;
        held.removeAll(Set.copyOf(plans));
        doubtful.addAll(running);
    }

    /** They are gone. */
    synchronized void lost(Collection<Pull> running) {
        losses++;
        going--;
        doubtful.addAll(running);
    }

    /** Runs {@code action} unless the plan is not held any more; nothing is lost meanwhile. */
    synchronized void ifHeld(Digest plan, Action action) throws IOException {
        if (held.contains(plan)) {
            action.run();
        }
    }
}

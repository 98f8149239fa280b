package io.faasimage.node.plans.plan;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.pull.Pull;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The states of the plans of this node. Kept on the disk: {@code <hex>.complete}, the prefetch list was present once,
 * {@code <hex>.whole}, all of the image must stay on this node, and {@code warmed}, there are objects which no plan
 * names. Thread-safe: each plan has a lock, and its files are written under it.
 */
public final class PlanStates {
    private static final String COMPLETE = ".complete";
    private static final String WARMED = "warmed";
    private static final String TOPIC = "plan";

    private final Path plans;
    private final PlanUses uses;
    private final Events events;
    private final Map<Digest, PlanState> states = new ConcurrentHashMap<>();
    /** Begins and ends of times in which objects are dropped. A pull during which this changes proves nothing. */
    private final AtomicLong losses = new AtomicLong();
    /** Such times that have not ended. */
    private final AtomicInteger dropping = new AtomicInteger();

    PlanStates(Path plans, PlanUses uses, Events events) {
        this.plans = plans;
        this.uses = uses;
        this.events = events;
    }

    /** Reads which prefetch lists are present: a start needs that of every plan here. */
    void load() throws IOException {
        try (DirectoryStream<Path> markers = Files.newDirectoryStream(plans, "*" + COMPLETE)) {
            for (Path marker : markers) {
                String name = String.valueOf(marker.getFileName());
                PlanStore.digestOf(name.substring(0, name.length() - COMPLETE.length()))
                        .ifPresent(plan -> state(plan).complete = true);
            }
        }
    }

    private PlanState state(Digest plan) {
        return states.computeIfAbsent(plan, _ -> new PlanState());
    }

    private Optional<PlanState> known(Digest plan) {
        return Optional.ofNullable(states.get(plan));
    }

    /** Whether the prefetch list of a plan was present once. */
    public boolean isComplete(Digest plan) {
        return known(plan).filter(state -> state.complete).isPresent();
    }

    /** Whether this process saw that the whole prefetch list is present. */
    public boolean isPresent(Digest plan) {
        return known(plan).filter(state -> state.present).isPresent();
    }

    /**
     * The pull of a prefetch list.
     *
     * @param pull that runs; empty when all of the list is present
     * @param begun whether it began now; then {@link #ended} or {@link #endedIncomplete} is due
     */
    public record Begin(Optional<Pull> pull, boolean begun) {}

    /**
     * Begins the pull of the prefetch list, unless it runs or all of the list is present.
     *
     * @param starting starts it; called at most once
     */
    public Begin begin(Digest plan, Supplier<Pull> starting) {
        PlanState state = state(plan);
        synchronized (state) {
            if (state.present) {
                return new Begin(Optional.empty(), false);
            }
            Pull running = state.pull;
            if (running != null && !running.isBroken()) {
                return new Begin(Optional.of(running), false);
            }
            state.lossesBefore = losses.get();
            Pull begun = starting.get();
            state.pull = begun;
            return new Begin(Optional.of(begun), true);
        }
    }

    /**
     * The pull that {@link #begin} began has got everything. Returns whether that is new, and no object was dropped.
     */
    public boolean ended(Digest plan) {
        PlanState state = state(plan);
        synchronized (state) {
            state.pull = null;
            state.failed = null;
            if (state.present || dropping.get() > 0 || losses.get() != state.lossesBefore) {
                return false;
            }
            state.present = true;
            state.complete = true;
            return true;
        }
    }

    /**
     * The pull that {@link #begin} began has left objects out: the service must not leave out objects because of it.
     */
    public void endedIncomplete(Digest plan) {
        PlanState state = state(plan);
        synchronized (state) {
            state.pull = null;
            state.failed = System.nanoTime();
            try {
                unmark(plan, state);
            } catch (IOException e) {
                events.error(TOPIC, "plan " + plan + " stays marked as complete: " + Events.reason(e));
            }
        }
    }

    /** Whether a pull for a start ended without everything less than {@code age} ago. */
    public boolean failedWithin(Digest plan, Duration age) {
        PlanState state = states.get(plan);
        Long failed = state == null ? null : state.failed;
        return failed != null && System.nanoTime() - failed < age.toNanos();
    }

    /** Records that the prefetch list is on the disk, unless something of it was dropped meanwhile. */
    public void markComplete(Digest plan) throws IOException {
        PlanState state = state(plan);
        synchronized (state) {
            if (state.present && !Files.exists(marker(plan))) {
                AtomicFile.publishSynced(marker(plan), out -> {});
            }
        }
    }

    private void unmark(Digest plan, PlanState state) throws IOException {
        state.complete = false;
        Files.deleteIfExists(marker(plan));
    }

    /** A damaged plan is removed. */
    void unmarkComplete(Digest plan) throws IOException {
        PlanState state = state(plan);
        synchronized (state) {
            unmark(plan, state);
        }
    }

    /** The time in which objects of some plans are dropped, until the close. */
    @FunctionalInterface
    public interface Loss extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Objects of these plans are about to be dropped, until the close: their marks are taken away, and their next
     * starts pull again.
     *
     * @throws IOException when a mark stays; nothing may be dropped then
     */
    public Loss losing(Collection<Digest> losers) throws IOException {
        losses.incrementAndGet();
        dropping.incrementAndGet();
        Loss loss = () -> {
            losses.incrementAndGet();
            dropping.decrementAndGet();
        };
        try {
            for (Digest plan : losers) {
                PlanState state = state(plan);
                synchronized (state) {
                    state.present = false;
                    state.filled = false;
                    unmark(plan, state);
                }
            }
        } catch (IOException e) {
            loss.close();
            throw e;
        }
        return loss;
    }

    /** The objects beyond the prefetch list are about to be fetched; false when they are present, or being fetched. */
    public boolean beginFilling(Digest plan) {
        PlanState state = state(plan);
        synchronized (state) {
            boolean begins = !state.filled;
            state.filled = true;
            return begins;
        }
    }

    /** They did not all come. */
    public void fillingFailed(Digest plan) {
        PlanState state = state(plan);
        synchronized (state) {
            state.filled = false;
        }
    }

    /**
     * Containers that cannot fetch anything any more run on this plan: its objects must stay as long as they do.
     *
     * @return false when its missing objects are being fetched already
     */
    public boolean beginWhole(Digest plan) {
        PlanState state = state(plan);
        synchronized (state) {
            try {
                if (!isWhole(plan)) {
                    AtomicFile.publishSynced(wholeMarker(plan), out -> {});
                }
            } catch (IOException e) {
                events.error(TOPIC, "plan " + plan + " is not protected from eviction: " + Events.reason(e));
            }
            boolean begins = !state.lacking;
            state.lacking = true;
            return begins;
        }
    }

    /** Nothing is missing any more, or no container uses the plan. */
    public void endWhole(Digest plan) {
        state(plan).lacking = false;
    }

    /** Whether objects that containers without a gate may read are still being fetched. */
    public boolean isLacking(Digest plan) {
        return known(plan).filter(state -> state.lacking).isPresent();
    }

    /** Whether objects of this plan must stay as long as its containers do. */
    public boolean isWhole(Digest plan) {
        return Files.exists(wholeMarker(plan));
    }

    /**
     * Records that the base of a runtime was pulled without a plan of its own: objects without a plan were used now.
     */
    public void markWarmed() {
        byte[] number = Long.toString(uses.newest()).getBytes(StandardCharsets.US_ASCII);
        try {
            AtomicFile.publish(plans.resolve(WARMED), out -> out.write(number));
        } catch (IOException e) {
            events.error(TOPIC, "could not record that a runtime's base is present: " + Events.reason(e));
        }
    }

    /** How many of these plans, the least recently used first, were used before the objects without a plan. */
    public int unplannedPlace(List<Digest> order) {
        long warmed;
        try {
            warmed = Long.parseLong(Files.readString(plans.resolve(WARMED)));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return (int) order.stream().filter(plan -> uses.last(plan) <= warmed).count();
    }

    /** Objects that no plan here has were dropped. */
    public void unmarkWarmed() throws IOException {
        Files.deleteIfExists(plans.resolve(WARMED));
    }

    /** Whether objects of prefetch lists are present that belong to no complete plan. */
    public boolean isWarmed() {
        return Files.exists(plans.resolve(WARMED));
    }

    /** Forgets a plan that is removed. */
    void remove(Digest plan) throws IOException {
        unmarkComplete(plan);
        Files.deleteIfExists(wholeMarker(plan));
        // A pull that still runs must not count for a plan that comes again.
        states.computeIfPresent(plan, (_, state) -> state.pull == null ? null : state);
    }

    private Path wholeMarker(Digest plan) {
        return plans.resolve(plan.hex() + ".whole");
    }

    private Path marker(Digest plan) {
        return plans.resolve(plan.hex() + COMPLETE);
    }
}

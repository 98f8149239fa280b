package io.faasimage.node.starts.record;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.start.StartEvent.PlanArrived;
import io.faasimage.node.link.start.StartEvent.Requested;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.starts.record.ObservedStart.Begin;
import io.faasimage.node.starts.record.ObservedStart.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The starts under way, and the possible parts of the next ones: plans that came, layers that were unpacked. Bounded:
 * the oldest starts end when there are too many. Thread-safe.
 */
final class OpenStarts {
    private static final int MOST_STARTS = 256;
    private static final int MOST_ARRIVALS = 1024;
    /** A pull, or an unpacking, that ended longer before the container was requested is not a part of its start. */
    private static final Duration GAP = Duration.ofSeconds(30);

    private final PlanStore plans;
    private final Pulls pulls;
    private final InstantSource clock;
    private final Object lock = new Object();
    private final Map<String, OpenStart> open = new LinkedHashMap<>();
    private final Map<Digest, PlanArrived> arrivals = BoundedMap.lastPut(MOST_ARRIVALS);
    private final Layers layers = new Layers();

    /** {@code clock} is the wall clock. */
    OpenStarts(PlanStore plans, Pulls pulls, InstantSource clock) {
        this.plans = plans;
        this.pulls = pulls;
        this.clock = clock;
    }

    /** A plan came. */
    void arrived(PlanArrived arrival) {
        synchronized (lock) {
            arrivals.remove(arrival.plan());
            arrivals.put(arrival.plan(), arrival);
        }
    }

    /** A layer is an ordinary one. */
    void unplanned(ChainId chain, String reason) {
        synchronized (lock) {
            layers.unplanned(chain, reason);
        }
    }

    /** A layer is being unpacked. */
    void unpackBegun(ChainId chain, long now) {
        synchronized (lock) {
            layers.unpackBegun(chain, now);
        }
    }

    /** A layer is unpacked. */
    void unpackEnded(ChainId chain, long now) {
        synchronized (lock) {
            layers.unpackEnded(chain, now);
        }
    }

    /** Changes a start that is under way; empty when there is none of this container. */
    Optional<OpenStart> update(String key, Consumer<OpenStart> change) {
        synchronized (lock) {
            Optional<OpenStart> start = Optional.ofNullable(open.get(key));
            start.ifPresent(change);
            return start;
        }
    }

    /** A container is requested. Returns starts that end with that: a record is due of each. */
    List<OpenStart> requested(Requested container, long now) {
        Optional<StoredPlan> plan = container
                .planned()
                .filter(chain -> container.top().equals(Optional.of(chain)))
                .flatMap(plans::find)
                .filter(found -> container.top().equals(Optional.of(found.top().chainId())));
        synchronized (lock) {
            Optional<PlanArrived> arrival = plan.flatMap(p -> Optional.ofNullable(arrivals.remove(p.digest())))
                    .filter(a -> isPart(a, plan.get(), now));
            OptionalLong unpacked =
                    plan.isPresent() ? OptionalLong.empty() : layers.take(container.layers(), now, GAP.toNanos());
            long nanos = arrival.isPresent() ? Math.min(now, arrival.get().requested()) : unpacked.orElse(now);
            Instant at = clock.instant().minusNanos(now - nanos);
            OpenStart start = new OpenStart(new Begin(
                    UUID.randomUUID().toString(),
                    container,
                    plan,
                    arrival,
                    nanos,
                    at,
                    unpacked.isPresent(),
                    container.top().flatMap(layers::reason),
                    now));
            List<OpenStart> ended = new ArrayList<>();
            if (open.size() >= MOST_STARTS) {
                Iterator<OpenStart> starts = open.values().iterator();
                ended.add(starts.next());
                starts.remove();
            }
            // A container of the same name that was removed meanwhile.
            Optional.ofNullable(open.put(container.key(), start)).ifPresent(ended::add);
            return ended;
        }
    }

    /** Whether the plan that came belongs to the start of the container that is requested. */
    private boolean isPart(PlanArrived arrival, StoredPlan plan, long now) {
        return now - arrival.present() < GAP.toNanos()
                || pulls.forStart(plan.digest()).isPresent();
    }

    /** The root file system of {@code plan} is mounted. */
    void mounted(Digest plan, long now) {
        synchronized (lock) {
            open.values().stream()
                    .filter(start -> !start.has(Step.MAY_START))
                    .filter(start -> start.begin()
                            .plan()
                            .filter(p -> p.digest().equals(plan))
                            .isPresent())
                    .forEach(start -> start.reached(Step.MOUNTED, now));
        }
    }

    /** Whether a container of this containerd namespace is starting. */
    boolean awaitsProcess(String namespace) {
        synchronized (lock) {
            return open.keySet().stream().anyMatch(key -> key.startsWith(namespace + "/"));
        }
    }

    /**
     * containerd's clock is the machine's; a reported step can be no earlier than the root file system, and is over
     * now.
     */
    void happened(String namespace, String snapshot, Instant at, Step step) {
        long now = System.nanoTime();
        long ago = Duration.between(at, clock.instant()).toNanos();
        synchronized (lock) {
            open.values().stream()
                    .filter(start ->
                            isOf(start.begin().container().key(), namespace, snapshot) && start.has(Step.MAY_START))
                    .reduce((earlier, later) -> later)
                    .ifPresent(start -> start.reached(
                            step, Math.max(start.time(Step.MAY_START).orElseThrow(), Math.min(now, now - ago))));
        }
    }

    /** containerd puts its namespace and a number before a client's key. */
    private static boolean isOf(String key, String namespace, String snapshot) {
        int number = namespace.length() + 1;
        int rest = key.indexOf('/', number);
        return key.startsWith(namespace + "/")
                && rest > 0
                && key.substring(rest + 1).equals(snapshot);
    }

    /** A start is refused: it is over. */
    Optional<OpenStart> refused(String key, String reason, long now) {
        return update(key, start -> {
            start.failed(reason, now);
            open.remove(key);
        });
    }

    /** The state of a start after a look at it. */
    enum State {
        /** It was over before. */
        OVER,
        /** Its pull or its trace still runs. */
        CONTINUES,
        /** It is over now: a record is due. */
        ENDS
    }

    /**
     * Ends a start unless its pull or its trace still runs.
     *
     * @param last whether it ends even so
     */
    State end(OpenStart start, boolean last) {
        synchronized (lock) {
            if (open.get(start.begin().container().key()) != start) {
                return State.OVER;
            }
            boolean continues = start.isTraced()
                    || start.begin()
                            .plan()
                            .flatMap(p -> pulls.forStart(p.digest()))
                            .isPresent();
            if (continues && !last) {
                return State.CONTINUES;
            }
            open.remove(start.begin().container().key());
            return State.ENDS;
        }
    }

    /** The observations of a start so far. */
    ObservedStart observed(OpenStart start) {
        synchronized (lock) {
            return start.observed();
        }
    }
}

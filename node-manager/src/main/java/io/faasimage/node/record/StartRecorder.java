package io.faasimage.node.record;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Demand.Demanded;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.record.ListeningPorts.Look;
import io.faasimage.node.record.ObservedStart.Begin;
import io.faasimage.node.record.ObservedStart.Step;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartEvent;
import io.faasimage.node.start.StartEvent.Created;
import io.faasimage.node.start.StartEvent.Executed;
import io.faasimage.node.start.StartEvent.MayStart;
import io.faasimage.node.start.StartEvent.ObjectDemanded;
import io.faasimage.node.start.StartEvent.PlanArrived;
import io.faasimage.node.start.StartEvent.PlanMounted;
import io.faasimage.node.start.StartEvent.Refused;
import io.faasimage.node.start.StartEvent.Requested;
import io.faasimage.node.start.StartEvent.TraceBegun;
import io.faasimage.node.start.StartEvent.TraceEnded;
import io.faasimage.node.start.StartEvent.UnpackBegun;
import io.faasimage.node.start.StartEvent.UnpackEnded;
import io.faasimage.node.start.StartEvent.Unplanned;
import io.faasimage.node.start.StartEvents;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes one record of each start. A start is watched for a while after its container may start, longer when its pull or
 * its trace goes on; then its record goes to the journal. All work is done on one thread of its own; what is called by
 * starts only notes the time. Bounded: the oldest starts are ended when there are too many. Thread-safe.
 */
public final class StartRecorder implements StartEvents, AutoCloseable {
    private static final int MOST_STARTS = 256;
    private static final int MOST_ARRIVALS = 1024;
    /** A pull, or an unpacking, that ended longer before the container was asked for is not a part of its start. */
    private static final Duration GAP = Duration.ofSeconds(30);
    /** How often a start that is not over is looked at again, after its window. */
    private static final int MOST_LOOKS = 12;
    /** How often the ports of one of the starts under way are looked at. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private final Duration window;
    private final PlanStore plans;
    private final Pulls pulls;
    private final RecordBuilder builder;
    private final StartJournal journal;
    private final StartSpans spans;
    private final Events events;
    private final InstantSource clock;
    private final Object lock = new Object();
    private volatile Consumer<StartRecord> listener = record -> {};
    private final Map<String, OpenStart> open = new LinkedHashMap<>();
    private final Map<Digest, PlanArrived> arrivals = BoundedMap.lastPut(MOST_ARRIVALS);
    private final Layers layers = new Layers();
    private final Map<StartKind, Long> counts = new EnumMap<>(StartKind.class);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("start-records").daemon().factory());

    /** Watches starts for {@code window}. */
    StartRecorder(
            Duration window,
            PlanStore plans,
            Pulls pulls,
            RecordBuilder builder,
            StartJournal journal,
            StartSpans spans,
            Events events,
            InstantSource clock) {
        this.window = window;
        this.plans = plans;
        this.pulls = pulls;
        this.builder = builder;
        this.journal = journal;
        this.spans = spans;
        this.events = events;
        this.clock = clock;
    }

    /** Sets who is told of each record, on this one's thread. */
    public void listen(Consumer<StartRecord> told) {
        listener = told;
    }

    @Override
    public void accept(StartEvent event) {
        long now = System.nanoTime();
        switch (event) {
            case PlanArrived arrival -> {
                synchronized (lock) {
                    arrivals.remove(arrival.plan());
                    arrivals.put(arrival.plan(), arrival);
                }
            }
            case PlanMounted(Digest plan) -> mounted(plan, now);
            case Unplanned(ChainId chain, String reason) -> {
                synchronized (lock) {
                    layers.unplanned(chain, reason);
                }
            }
            case UnpackBegun(ChainId chain) -> {
                synchronized (lock) {
                    layers.unpackBegun(chain, now);
                }
            }
            case UnpackEnded(ChainId chain) -> {
                synchronized (lock) {
                    layers.unpackEnded(chain, now);
                }
            }
            case Requested container -> requested(container, now);
            case MayStart(String key) ->
                update(key, start -> start.reached(Step.MAY_START, now)).ifPresent(start -> {
                    run(() -> journal.begun(builder.begun(observed(start))));
                    later(start, window, 0);
                });
            case Refused(String key, String reason) ->
                update(key, start -> {
                            start.failed(reason, now);
                            open.remove(key);
                        })
                        .ifPresent(start -> run(() -> write(start)));
            case TraceBegun(String key) -> update(key, OpenStart::traceBegun);
            case TraceEnded(String key, OptionalLong process, OptionalLong ready) ->
                update(key, start -> start.traceEnded(process, ready));
            case Created(String namespace, String snapshot, Instant at) ->
                happened(namespace, snapshot, at, Step.CREATED);
            case Executed(String namespace, String snapshot, Instant at, int pid) ->
                happened(namespace, snapshot, at, Step.FIRST_PROCESS)
                        .ifPresent(start -> run(() -> look(start, new ListeningPorts(pid))));
            case ObjectDemanded(Demanded object) -> {
                // It counts for every start whose plan has it.
                synchronized (lock) {
                    open.values().forEach(start -> start.demanded(object));
                }
            }
        }
    }

    private Optional<OpenStart> update(String key, Consumer<OpenStart> change) {
        synchronized (lock) {
            Optional<OpenStart> start = Optional.ofNullable(open.get(key));
            start.ifPresent(change);
            return start;
        }
    }

    private void requested(Requested container, long now) {
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
            List<Object> names = new ArrayList<>();
            container.top().ifPresent(names::add);
            plan.map(StoredPlan::digest).ifPresent(names::add);
            OpenStart start = new OpenStart(new Begin(
                    UUID.randomUUID().toString(),
                    container,
                    plan,
                    arrival,
                    nanos,
                    at,
                    unpacked.isPresent(),
                    container.top().flatMap(layers::reason),
                    spans.starts(names, at),
                    now));
            if (open.size() >= MOST_STARTS) {
                Iterator<OpenStart> starts = open.values().iterator();
                OpenStart oldest = starts.next();
                starts.remove();
                run(() -> write(oldest));
            }
            // A container of the same name that was removed meanwhile.
            Optional.ofNullable(open.put(container.key(), start)).ifPresent(before -> run(() -> write(before)));
        }
    }

    /** Whether the plan that came belongs to the start of the container that is requested. */
    private boolean isPart(PlanArrived arrival, StoredPlan plan, long now) {
        return now - arrival.present() < GAP.toNanos()
                || pulls.running(plan.digest(), Part.STARTUP).isPresent();
    }

    private void mounted(Digest plan, long now) {
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

    /** Whether a start from a plan is being watched. */
    public boolean isStarting() {
        synchronized (lock) {
            return open.values().stream().anyMatch(start -> start.begin().plan().isPresent());
        }
    }

    @Override
    public boolean awaitsProcess(String namespace) {
        synchronized (lock) {
            return open.keySet().stream().anyMatch(key -> key.startsWith(namespace + "/"));
        }
    }

    /**
     * Looks until the start's record is made; less often the more starts there are, so that it costs next to nothing.
     */
    private void look(OpenStart start, ListeningPorts ports) {
        Look look;
        try {
            look = ports.look();
        } catch (IOException e) {
            // The container has ended.
            return;
        }
        long now = System.nanoTime();
        int starts;
        synchronized (lock) {
            if (open.get(start.begin().container().key()) != start) {
                return;
            }
            switch (look) {
                case GROWN -> start.listens(OptionalLong.of(now));
                case UNCLEAR -> start.listens(OptionalLong.empty());
                case SAME -> {}
            }
            starts = open.size();
        }
        if (look != Look.UNCLEAR) {
            after(LOOK.multipliedBy(starts), () -> look(start, ports));
        }
    }

    /**
     * containerd's clock is the machine's; what it reports can be no earlier than the root file system, and is over
     * now.
     */
    private Optional<OpenStart> happened(String namespace, String snapshot, Instant at, Step step) {
        long now = System.nanoTime();
        long ago = Duration.between(at, clock.instant()).toNanos();
        synchronized (lock) {
            Optional<OpenStart> newest = open.values().stream()
                    .filter(start ->
                            isOf(start.begin().container().key(), namespace, snapshot) && start.has(Step.MAY_START))
                    .reduce((earlier, later) -> later);
            newest.ifPresent(start ->
                    start.reached(step, Math.max(start.time(Step.MAY_START).orElseThrow(), Math.min(now, now - ago))));
            return newest;
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

    private void later(OpenStart start, Duration pause, int looks) {
        after(pause, () -> look(start, looks));
    }

    private void after(Duration pause, Runnable work) {
        try {
            var _ = thread.schedule(work, pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The node shuts down: the next process sends what the journal has.
        }
    }

    private void run(Runnable work) {
        try {
            thread.execute(() -> {
                try {
                    work.run();
                } catch (RuntimeException e) {
                    events.error(StartJournal.KIND, "a start is not recorded: " + Events.reason(e));
                }
            });
        } catch (RejectedExecutionException e) {
            // As above.
        }
    }

    private void look(OpenStart start, int looks) {
        boolean goesOn;
        synchronized (lock) {
            if (open.get(start.begin().container().key()) != start) {
                return;
            }
            goesOn = start.isTraced()
                    || start.begin()
                            .plan()
                            .flatMap(p -> pulls.running(p.digest(), Part.STARTUP))
                            .isPresent();
            if (!goesOn || looks >= MOST_LOOKS) {
                open.remove(start.begin().container().key());
            }
        }
        if (goesOn && looks < MOST_LOOKS) {
            later(start, window, looks + 1);
        } else {
            run(() -> write(start));
        }
    }

    private ObservedStart observed(OpenStart start) {
        synchronized (lock) {
            return start.observed();
        }
    }

    private void write(OpenStart start) {
        ObservedStart observed = observed(start);
        try {
            StartRecord record = builder.ended(observed);
            synchronized (lock) {
                counts.merge(record.kind(), 1L, Long::sum);
            }
            listener.accept(record);
            RecordSpans.export(spans, observed, record);
            journal.ended(record);
        } finally {
            // Ended already, unless something failed.
            spans.ended(start.begin().spans(), start.begin().at());
        }
    }

    /** Starts since this process began, by class. */
    Map<StartKind, Long> counts() {
        synchronized (lock) {
            return Map.copyOf(counts);
        }
    }

    /** Starts that go on are told of by the next process. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

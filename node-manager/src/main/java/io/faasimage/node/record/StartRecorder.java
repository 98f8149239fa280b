package io.faasimage.node.record;

import io.faasimage.api.StartKind;
import io.faasimage.api.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Demand.Demanded;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.record.ListeningPorts.Look;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartSigns;
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
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/**
 * Makes one record of each start. A start is watched for a while after its container may start, longer when its pull or
 * its trace goes on; then its record goes to the journal. All work is done on one thread of its own; what is called by
 * starts only notes the time. Bounded: the oldest starts are ended when there are too many. Thread-safe.
 */
public final class StartRecorder implements StartSigns, AutoCloseable {
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
    private final Map<Digest, Arrival> arrivals = new LinkedHashMap<>();
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
    public void arrived(Digest plan, Arrival arrival) {
        synchronized (lock) {
            arrivals.remove(plan);
            arrivals.put(plan, arrival);
            if (arrivals.size() > MOST_ARRIVALS) {
                arrivals.remove(arrivals.keySet().iterator().next());
            }
        }
    }

    @Override
    public void ordinary(ChainId chain, String reason) {
        synchronized (lock) {
            layers.ordinary(chain, reason);
        }
    }

    @Override
    public void unpacks(ChainId chain) {
        long now = System.nanoTime();
        synchronized (lock) {
            layers.unpacks(chain, now);
        }
    }

    @Override
    public void unpacked(ChainId chain) {
        long now = System.nanoTime();
        synchronized (lock) {
            layers.unpacked(chain, now);
        }
    }

    @Override
    public Preparation prepares(Container container) {
        long now = System.nanoTime();
        Optional<ChainId> top = container.layers().stream().findFirst();
        Optional<StoredPlan> plan = container
                .planned()
                .filter(chain -> top.equals(Optional.of(chain)))
                .flatMap(plans::find)
                .filter(found -> top.equals(Optional.of(found.top().chainId())));
        OpenStart start;
        synchronized (lock) {
            Optional<Arrival> arrival = plan.flatMap(p -> Optional.ofNullable(arrivals.remove(p.digest())))
                    .filter(a -> isPart(a, plan.get(), now));
            OptionalLong unpacked =
                    plan.isPresent() ? OptionalLong.empty() : layers.take(container.layers(), now, GAP.toNanos());
            long begin = arrival.isPresent() ? Math.min(now, arrival.get().asked()) : unpacked.orElse(now);
            Instant at = clock.instant().minusNanos(now - begin);
            List<Object> names = new ArrayList<>();
            top.ifPresent(names::add);
            plan.map(StoredPlan::digest).ifPresent(names::add);
            start = new OpenStart(
                    container,
                    plan,
                    arrival,
                    begin,
                    at,
                    unpacked.isPresent(),
                    top.flatMap(layers::reason),
                    spans.starts(names, at),
                    now);
            if (open.size() >= MOST_STARTS) {
                Iterator<OpenStart> starts = open.values().iterator();
                OpenStart oldest = starts.next();
                starts.remove();
                run(() -> write(oldest));
            }
            // A container of the same name that was removed meanwhile.
            Optional.ofNullable(open.put(container.key(), start)).ifPresent(before -> run(() -> write(before)));
        }
        return new Watching(start);
    }

    /** Whether what came belongs to the start of the container that is being asked for. */
    private boolean isPart(Arrival arrival, StoredPlan plan, long now) {
        return now - arrival.here() < GAP.toNanos()
                || pulls.running(plan.digest(), Part.STARTUP).isPresent();
    }

    private final class Watching implements Preparation {
        private final OpenStart start;

        Watching(OpenStart start) {
            this.start = start;
        }

        @Override
        public void mayStart() {
            long now = System.nanoTime();
            synchronized (lock) {
                start.mayStart(now);
            }
            run(() -> journal.begun(builder.begun(frozen(start))));
            later(start, window, 0);
        }

        @Override
        public void failed(String reason) {
            synchronized (lock) {
                start.failed(reason, System.nanoTime());
                open.remove(start.container().key(), start);
            }
            run(() -> write(start));
        }
    }

    @Override
    public void mounted(Digest plan) {
        long now = System.nanoTime();
        synchronized (lock) {
            open.values().stream()
                    .filter(start ->
                            start.mounted().isEmpty() && start.mayStart().isEmpty())
                    .filter(start ->
                            start.plan().filter(p -> p.digest().equals(plan)).isPresent())
                    .forEach(start -> start.mounted(now));
        }
    }

    @Override
    public void tracing(String key) {
        synchronized (lock) {
            Optional.ofNullable(open.get(key)).ifPresent(OpenStart::tracing);
        }
    }

    @Override
    public void traced(String key, OptionalLong firstProcess, OptionalLong ready) {
        synchronized (lock) {
            Optional.ofNullable(open.get(key)).ifPresent(start -> start.traced(firstProcess, ready));
        }
    }

    /** Whether a start from a plan is being watched. */
    public boolean isStarting() {
        synchronized (lock) {
            return open.values().stream().anyMatch(start -> start.plan().isPresent());
        }
    }

    @Override
    public boolean awaitsProcess(String namespace) {
        synchronized (lock) {
            return open.values().stream()
                    .anyMatch(start -> start.container().key().startsWith(namespace + "/"));
        }
    }

    @Override
    public void created(String namespace, String snapshot, Instant at) {
        happened(namespace, snapshot, at, OpenStart::created);
    }

    @Override
    public void executed(String namespace, String snapshot, Instant at, int pid) {
        happened(namespace, snapshot, at, OpenStart::firstProcess)
                .ifPresent(start -> run(() -> look(start, new ListeningPorts(pid))));
    }

    /** Until the start's record is made; seldomer the more starts there are, so that looking costs next to nothing. */
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
            if (open.get(start.container().key()) != start) {
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
     * containerd's clock is the machine's; what it tells can be no earlier than the root file system, and is over now.
     */
    private Optional<OpenStart> happened(
            String namespace, String snapshot, Instant at, ObjLongConsumer<OpenStart> told) {
        long now = System.nanoTime();
        long ago = Duration.between(at, clock.instant()).toNanos();
        synchronized (lock) {
            Optional<OpenStart> newest = open.values().stream()
                    .filter(start -> isOf(start.container().key(), namespace, snapshot)
                            && start.mayStart().isPresent())
                    .reduce((earlier, later) -> later);
            newest.ifPresent(start ->
                    told.accept(start, Math.max(start.mayStart().getAsLong(), Math.min(now, now - ago))));
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

    /**
     * Somebody had to wait for an object. The kernel does not tell who: it counts for every start whose plan has it.
     */
    public void demanded(Demanded demanded) {
        synchronized (lock) {
            open.values().forEach(start -> start.demanded(demanded));
        }
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
            if (open.get(start.container().key()) != start) {
                return;
            }
            goesOn = start.isTraced()
                    || start.plan()
                            .flatMap(p -> pulls.running(p.digest(), Part.STARTUP))
                            .isPresent();
            if (!goesOn || looks >= MOST_LOOKS) {
                open.remove(start.container().key());
            }
        }
        if (goesOn && looks < MOST_LOOKS) {
            later(start, window, looks + 1);
        } else {
            run(() -> write(start));
        }
    }

    private OpenStart frozen(OpenStart start) {
        synchronized (lock) {
            return start.frozen();
        }
    }

    private void write(OpenStart start) {
        try {
            StartRecord record = builder.ended(frozen(start));
            synchronized (lock) {
                counts.merge(record.kind(), 1L, Long::sum);
            }
            listener.accept(record);
            RecordSpans.tell(spans, start, record);
            journal.ended(record);
        } finally {
            // Told already, unless something failed.
            spans.ended(start.spans(), start.at());
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

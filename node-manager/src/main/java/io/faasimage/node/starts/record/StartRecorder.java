package io.faasimage.node.starts.record;

import io.faasimage.api.image.StartMode;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.start.StartEvent;
import io.faasimage.node.link.start.StartEvent.Created;
import io.faasimage.node.link.start.StartEvent.Executed;
import io.faasimage.node.link.start.StartEvent.MayStart;
import io.faasimage.node.link.start.StartEvent.PlanArrived;
import io.faasimage.node.link.start.StartEvent.PlanMounted;
import io.faasimage.node.link.start.StartEvent.Refused;
import io.faasimage.node.link.start.StartEvent.Requested;
import io.faasimage.node.link.start.StartEvent.TraceBegun;
import io.faasimage.node.link.start.StartEvent.TraceEnded;
import io.faasimage.node.link.start.StartEvent.UnpackBegun;
import io.faasimage.node.link.start.StartEvent.UnpackEnded;
import io.faasimage.node.link.start.StartEvent.Unplanned;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.starts.record.ObservedStart.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A recorder of starts, one record each. A start is watched for a while after its container may start, longer while its
 * pull or its trace runs; then its record goes to the journal. All work is done on one thread of its own; the calls of
 * starts only note the time. Thread-safe.
 */
public final class StartRecorder implements StartEvents, AutoCloseable {
    /** How often a start that is not over is looked at again, after its window. */
    private static final int MOST_LOOKS = 12;

    private final Duration window;
    private final OpenStarts starts;
    private final RecordBuilder builder;
    private final StartJournal journal;
    private final Events events;
    private final Consumer<StartRecord> receiver;
    private final Map<StartKind, Long> counts = Collections.synchronizedMap(new EnumMap<>(StartKind.class));
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("start-records").daemon().factory());

    /**
     * A recorder of the starts of this node.
     *
     * @param window for which a start is watched
     * @param usual when containers start whose functions do not say
     * @param receiver is notified of each record, on this one's thread
     * @param clock the wall clock
     */
    public StartRecorder(
            Duration window,
            PlanStore plans,
            Pulls pulls,
            StartMode usual,
            StartJournal journal,
            Consumer<StartRecord> receiver,
            Events events,
            InstantSource clock) {
        this.window = window;
        this.starts = new OpenStarts(plans, pulls, clock);
        this.builder = new RecordBuilder(plans, new StartSearch(plans, pulls, events), usual);
        this.journal = journal;
        this.receiver = receiver;
        this.events = events;
    }

    @Override
    public void accept(StartEvent event) {
        long now = System.nanoTime();
        switch (event) {
            case PlanArrived arrival -> starts.arrived(arrival);
            case PlanMounted(Digest plan) -> starts.mounted(plan, now);
            case Unplanned(ChainId chain, String reason) -> starts.unplanned(chain, reason);
            case UnpackBegun(ChainId chain) -> starts.unpackBegun(chain, now);
            case UnpackEnded(ChainId chain) -> starts.unpackEnded(chain, now);
            case Requested container -> starts.requested(container, now).forEach(start -> run(() -> write(start)));
            case MayStart(String key) ->
                starts.update(key, start -> start.reached(Step.MAY_START, now)).ifPresent(start -> {
                    run(() -> journal.begun(builder.begun(starts.observed(start))));
                    later(start, window, 0);
                });
            case Refused(String key, String reason) ->
                starts.refused(key, reason, now).ifPresent(start -> run(() -> write(start)));
            case TraceBegun(String key) -> starts.update(key, OpenStart::traceBegun);
            case TraceEnded(String key, OptionalLong process, OptionalLong ready) ->
                starts.update(key, start -> start.traceEnded(process, ready));
            case Created(String namespace, String snapshot, Instant at) ->
                starts.happened(namespace, snapshot, at, Step.CREATED);
            case Executed(String namespace, String snapshot, Instant at) ->
                starts.happened(namespace, snapshot, at, Step.FIRST_PROCESS);
        }
    }

    @Override
    public boolean awaitsProcess(String namespace) {
        return starts.awaitsProcess(namespace);
    }

    private void later(OpenStart start, Duration pause, int looks) {
        try {
            var _ = thread.schedule(() -> look(start, looks), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // The node shuts down: the next process sends the journal's records.
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
            // The node shuts down: the next process sends the journal's records.
        }
    }

    private void look(OpenStart start, int looks) {
        switch (starts.end(start, looks >= MOST_LOOKS)) {
            case OVER -> {}
            case CONTINUES -> later(start, window, looks + 1);
            case ENDS -> run(() -> write(start));
        }
    }

    private void write(OpenStart start) {
        StartRecord record = builder.ended(starts.observed(start));
        counts.merge(record.kind(), 1L, Long::sum);
        receiver.accept(record);
        journal.ended(record);
    }

    /** Starts since this process began, by class. */
    Map<StartKind, Long> counts() {
        synchronized (counts) {
            return Map.copyOf(counts);
        }
    }

    /** Running starts are reported by the next process. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.faasimage.node.start;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Events;
import io.faasimage.node.start.ObservedStart.Miss;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Watches starts for a while and tells which objects they read that their plans had not foreseen. The kernel does not
 * tell for which container an object is fetched: an object counts for every watched start whose plan has it outside the
 * start-up set. Thread-safe; bounded, the oldest starts give way.
 */
public final class StartWatch implements AutoCloseable {
    private static final String TOPIC = "start";
    private static final int MOST_STARTS = 256;
    private static final int MOST_MISSES = 4096;

    private final Duration window;
    private final Plans plans;
    private final Consumer<ObservedStart> sink;
    private final Events events;
    private final InstantSource clock;
    private final Deque<Watched> watched = new ArrayDeque<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("start-watch").daemon().factory());

    /** Loads plans. */
    @FunctionalInterface
    public interface Plans {
        /** The plan with this digest. */
        Plan load(Digest plan) throws IOException;
    }

    /** A start under way, and what was fetched meanwhile: milliseconds after its begin. Guarded by {@link #watched}. */
    private record Watched(Digest plan, Digest image, Instant at, long begin, Map<Digest, Integer> fetched) {}

    /**
     * Watches nothing yet.
     *
     * @param window how long a start is watched
     * @param sink takes what was observed, on the timer's thread; returns soon
     */
    public StartWatch(Duration window, Plans plans, Consumer<ObservedStart> sink, Events events, InstantSource clock) {
        this.window = window;
        this.plans = plans;
        this.sink = sink;
        this.events = events;
        this.clock = clock;
    }

    /** A container of the image begins to start. Returns at once. */
    public void begin(Digest plan, Digest image) {
        Watched start = new Watched(plan, image, clock.instant(), System.nanoTime(), new LinkedHashMap<>());
        synchronized (watched) {
            if (watched.size() == MOST_STARTS) {
                watched.removeFirst();
            }
            watched.addLast(start);
        }
        try {
            var _ = timer.schedule(() -> end(start), window.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            events.info(TOPIC, "a start is not watched: the node shuts down");
        }
    }

    /** Whether a start is being watched. */
    public boolean isStarting() {
        synchronized (watched) {
            return !watched.isEmpty();
        }
    }

    /** An object was fetched because it was read. Returns at once. */
    public void fetched(Digest object) {
        long now = System.nanoTime();
        synchronized (watched) {
            for (Watched start : watched) {
                if (start.fetched().size() < MOST_MISSES) {
                    start.fetched().putIfAbsent(object, (int) TimeUnit.NANOSECONDS.toMillis(now - start.begin()));
                }
            }
        }
    }

    private void end(Watched start) {
        Map<Digest, Integer> fetched;
        synchronized (watched) {
            if (!watched.remove(start)) {
                return;
            }
            fetched = new LinkedHashMap<>(start.fetched());
        }
        try {
            Plan plan = plans.load(start.plan());
            sink.accept(new ObservedStart(
                    start.image(), start.plan(), start.at(), misses(plan, fetched), plan.startupCount()));
        } catch (NoSuchFileException e) {
            events.info(
                    TOPIC, "a start of image " + start.image() + " is not reported: its plan was dropped meanwhile");
        } catch (IOException | RuntimeException e) {
            events.error(TOPIC, "a start of image " + start.image() + " is not reported: " + Events.reason(e));
        }
    }

    private static List<Miss> misses(Plan plan, Map<Digest, Integer> fetched) {
        if (fetched.isEmpty()) {
            return List.of();
        }
        Set<Digest> rest = plan.rest().stream()
                .map(PlanObject::digest)
                .filter(fetched::containsKey)
                .collect(Collectors.toSet());
        List<Miss> misses = new ArrayList<>();
        fetched.forEach((object, millis) -> {
            if (rest.contains(object)) {
                misses.add(new Miss(object, millis));
            }
        });
        return misses;
    }

    /** Starts that are watched now are not reported. */
    @Override
    public void close() {
        timer.shutdownNow();
    }
}

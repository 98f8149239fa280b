package io.faasimage.node.link.event;

import io.faasimage.node.link.event.Event.Severity;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A log of events: each is one line of the log, and the newest are kept for {@code faasimage node status}. Thread-safe.
 */
public final class Events {
    private static final Logger LOG = System.getLogger(Events.class.getName());

    private final int capacity;
    private final InstantSource clock;
    private final Log log;
    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();
    private final Deque<Event> ring = new ArrayDeque<>();
    private long added;

    /**
     * An empty list.
     *
     * @param capacity how many of the newest events are kept
     */
    public Events(int capacity, InstantSource clock) {
        this(capacity, clock, Log.SYSTEM);
    }

    /** An empty list with another place for the log lines. */
    public Events(int capacity, InstantSource clock, Log log) {
        if (capacity < 1) {
            throw new IllegalArgumentException("at least one event is kept, not " + capacity);
        }
        this.capacity = capacity;
        this.clock = clock;
        this.log = log;
    }

    /** Where events go besides the list. */
    public enum Log {
        /** The log of the process. */
        SYSTEM,
        /** Nowhere. */
        NONE
    }

    /** Normal course. */
    public void info(String topic, String text) {
        add(new Event(clock.instant(), Severity.INFO, topic, text));
    }

    /** A slower way was used instead; {@code text} names it and the reason. */
    public void fallback(String topic, String text) {
        add(new Event(clock.instant(), Severity.FALLBACK, topic, text));
    }

    /** Something failed. */
    public void error(String topic, String text) {
        add(new Event(clock.instant(), Severity.ERROR, topic, text));
    }

    private void add(Event event) {
        counts.computeIfAbsent(new Kind(event.severity(), event.topic()), kind -> new LongAdder())
                .increment();
        synchronized (ring) {
            if (ring.size() == capacity) {
                ring.removeFirst();
            }
            ring.addLast(event);
            added++;
        }
        if (log == Log.SYSTEM) {
            LOG.log(level(event.severity()), "{0}: {1}", event.topic(), event.text());
        }
    }

    private static Level level(Severity severity) {
        return switch (severity) {
            case INFO -> Level.INFO;
            case FALLBACK -> Level.WARNING;
            case ERROR -> Level.ERROR;
        };
    }

    /** The key by which events are counted: there are as many topics as parts of the node. */
    public record Kind(Severity severity, String topic) {}

    /** How many there were of each kind. */
    public Map<Kind, Long> counts() {
        return counts.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum()));
    }

    /** The newest events, oldest first. */
    public List<Event> recent() {
        synchronized (ring) {
            return List.copyOf(new ArrayList<>(ring));
        }
    }

    /** An event and how many came before it, and it. */
    public record Numbered(long number, Event event) {}

    /** The newest events after the one with this number, oldest first. */
    public List<Numbered> after(long number) {
        synchronized (ring) {
            List<Numbered> newer = new ArrayList<>();
            long next = added - ring.size() + 1;
            for (Event event : ring) {
                if (next > number) {
                    newer.add(new Numbered(next, event));
                }
                next++;
            }
            return newer;
        }
    }

    /**
     * The message of a failure for an event: its text, or its type when it has none, with the cause when that says
     * more.
     */
    public static String reason(Throwable failure) {
        String own = text(failure);
        @Nullable Throwable cause = failure.getCause();
        return cause == null || own.contains(text(cause)) ? own : own + " (" + text(cause) + ")";
    }

    private static String text(Throwable failure) {
        @Nullable String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}

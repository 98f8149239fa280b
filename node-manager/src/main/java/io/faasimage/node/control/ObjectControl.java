package io.faasimage.node.control;

import io.faasimage.api.control.ControlHandler;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Demand;
import io.faasimage.node.span.StartSpans;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * The command of {@code objects.sock}, at which the gate asks: {@code fetch} an object, wherever it is on its way. Tries a
 * few times; sends events while bytes come. Thread-safe.
 */
public final class ObjectControl implements ControlHandler {
    /** Most look-ups that wait at a time. */
    public static final int WAITING = 1024;

    private static final int ATTEMPTS = 4;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
    private static final int PAUSE_FACTOR = 3;
    private static final long EVENT_NANOS = Duration.ofMillis(500).toNanos();

    private final Demand demand;
    private final StartSpans spans;

    /** Objects by {@code demand}; each look-up is told of by {@code spans}. */
    public ObjectControl(Demand demand, StartSpans spans) {
        this.demand = demand;
        this.spans = spans;
    }

    @Override
    public Object handle(String command, JsonNode request, Consumer<Object> events) throws IOException {
        if (!command.equals("fetch")) {
            throw new IOException("this socket knows fetch, not '" + command + "'");
        }
        try {
            told(Digest.parse(request.path("object").asString("")), alive(events));
            return Map.of("held", true);
        } catch (IllegalArgumentException e) {
            throw new IOException("'object' is not a digest: " + e.getMessage(), e);
        }
    }

    /** The gate has no exporter of its own: its look-ups are told of here. */
    private void told(Digest digest, Runnable alive) throws IOException {
        try (Span span = spans.demanded()) {
            span.set("faasimage.object", digest.toString());
            try {
                Demand.Way way = CurrentSpan.call(span.context(), () -> fetch(digest, alive));
                span.set("faasimage.way", way.name().toLowerCase(Locale.ROOT));
            } catch (IOException e) {
                span.failed(Events.reason(e));
                throw e;
            }
        }
    }

    private Demand.Way fetch(Digest digest, Runnable alive) throws IOException {
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            try {
                return demand.fetch(digest, alive);
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw new IOException(Events.reason(e) + " (" + attempt + " attempts)", e);
                }
            }
            try {
                Thread.sleep(pause);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted between two attempts", e);
            }
            pause = pause.multipliedBy(PAUSE_FACTOR);
        }
    }

    /** Says that bytes come, not more than twice a second. Used by one thread at a time. */
    private static Runnable alive(Consumer<Object> events) {
        long[] next = {System.nanoTime()};
        return () -> {
            long now = System.nanoTime();
            if (now - next[0] >= 0) {
                next[0] = now + EVENT_NANOS;
                events.accept(Map.of("bytes", true));
            }
        };
    }
}

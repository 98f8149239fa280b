package io.faasimage.node.control;

import io.faasimage.api.control.ControlHandler;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Demand;
import io.faasimage.node.span.StartSpans;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * The command of {@code objects.sock}, at which the gate asks: {@code fetch} an object, wherever it is on its way.
 * Sends events while it continues. Thread-safe.
 */
public final class ObjectControl implements ControlHandler {
    /** Most look-ups that wait at a time. */
    public static final int WAITING = 1024;

    private final Demand demand;
    private final StartSpans spans;

    /** Objects by {@code demand}; each look-up is a span of {@code spans}. */
    public ObjectControl(Demand demand, StartSpans spans) {
        this.demand = demand;
        this.spans = spans;
    }

    @Override
    public Object handle(String command, JsonNode request, Consumer<Object> events) throws IOException {
        if (!command.equals("fetch")) {
            throw new IOException("this socket supports fetch, not '" + command + "'");
        }
        try {
            fetch(Digest.parse(request.path("object").asString("")), () -> events.accept(Map.of("alive", true)));
            return Map.of("held", true);
        } catch (IllegalArgumentException e) {
            throw new IOException("'object' is not a digest: " + e.getMessage(), e);
        }
    }

    /** The gate has no exporter of its own: its look-ups are spans of this process. */
    private void fetch(Digest digest, Runnable alive) throws IOException {
        try (Span span = spans.demanded()) {
            span.set("faasimage.object", digest.toString());
            try {
                Demand.Way way = CurrentSpan.call(span.context(), () -> demand.fetch(digest, alive));
                span.set("faasimage.way", way.name().toLowerCase(Locale.ROOT));
            } catch (IOException e) {
                span.failed(Events.reason(e));
                throw e;
            }
        }
    }
}

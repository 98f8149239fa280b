package io.faasimage.node.control;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Demand;
import io.faasimage.node.span.StartSpans;
import java.io.IOException;
import java.util.Locale;

/**
 * What the node agent does for the operation of {@code objects.sock}, at which the gate asks: it fetches an object,
 * wherever it is on its way. Sends events while it goes on. Thread-safe.
 */
public final class ObjectControl {
    /** Most look-ups that wait at a time. */
    public static final int WAITING = 1024;

    private final Demand demand;
    private final StartSpans spans;

    /** Objects by {@code demand}; each look-up is a span of {@code spans}. */
    public ObjectControl(Demand demand, StartSpans spans) {
        this.demand = demand;
        this.spans = spans;
    }

    /** For a server of {@code objects.sock}. */
    public ControlHandlers handlers() {
        return new ControlHandlers().on(ObjectOperations.FETCH, (request, events) -> {
            if (!request.object().equals(ObjectOperations.WARM_UP)) {
                fetch(request.object(), () -> events.accept(new Empty()));
            }
            return new Empty();
        });
    }

    /** The gate has no exporter of its own: its look-ups are spans of this process. */
    void fetch(Digest digest, Runnable alive) throws IOException {
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

package io.faasimage.node.starts.trace;

import io.faasimage.format.FormatException;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.outbox.Outbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The queue of traces for the service. Thread-safe. */
public final class TraceOutbox implements TraceSink, AutoCloseable {
    private static final String TOPIC = "trace";
    private static final int CAPACITY = 256;

    private final TraceDelivery delivery;
    private final Events events;
    private final Outbox outbox;

    /** Opens the outbox and begins to deliver its traces. */
    public TraceOutbox(Outbox.Config config, TraceDelivery delivery, Events events) throws IOException {
        this.delivery = delivery;
        this.events = events;
        this.outbox = new Outbox(config, this::deliver, events);
    }

    /** The usual settings below a state directory. */
    public static Outbox.Config below(Path root) {
        return Outbox.Config.of(TOPIC, root.resolve("traces/outbox"), CAPACITY);
    }

    @Override
    public void traced(String key, Trace trace) {
        outbox.put("'" + key + "'", TraceCodec.encode(trace));
    }

    /** The files that are not delivered yet, oldest first. */
    public List<Path> pending() throws IOException {
        return outbox.pending();
    }

    /** Where traces wait. */
    public Outbox outbox() {
        return outbox;
    }

    private void deliver(byte[] message) throws IOException {
        try {
            Trace trace = TraceCodec.decode(message);
            switch (delivery.deliver(trace)) {
                case ACCEPTED -> events.info(TOPIC, "the service has the trace of " + trace.chain());
                case REFUSED -> events.error(TOPIC, "the service rejected the trace of " + trace.chain());
            }
        } catch (FormatException e) {
            events.error(TOPIC, "a kept trace is unreadable and is dropped: " + Events.reason(e));
        }
    }

    /** Stops delivering; the next process delivers the rest. */
    @Override
    public void close() {
        outbox.close();
    }
}

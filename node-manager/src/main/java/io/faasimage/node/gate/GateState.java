package io.faasimage.node.gate;

import io.faasimage.api.control.gate.GateSupervision;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.lazy.GateReadiness;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Whether a gate answers, and why not. Starts wait here until it does. Thread-safe. */
final class GateState implements GateReadiness {
    private final Events events;
    private boolean ready;
    private long downSince = System.nanoTime();
    private String problem = "it is being started";
    private long starts;

    /** Of a gate that is not started yet. */
    GateState(Events events) {
        this.events = events;
    }

    /** The gate answers. */
    synchronized void ready() {
        ready = true;
        notifyAll();
    }

    /** The gate does not answer. */
    synchronized void unready(String reason) {
        if (ready) {
            downSince = System.nanoTime();
            events.fallback(GateSupervisor.TOPIC, "planned containers wait for the gate: " + reason);
        }
        ready = false;
        problem = reason;
    }

    /** The gate has ended, or could not be started. */
    void failed(String reason) {
        unready(reason);
        events.error(GateSupervisor.TOPIC, "the gate is down and will be started again: " + reason);
    }

    /** A gate is started. */
    synchronized void starting() {
        starts++;
    }

    @Override
    public synchronized void await(Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (!ready) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new IOException("the gate is not up after " + limit.toMillis() + " ms (" + problem
                        + "); see the log of node-manager for its output");
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the gate", e);
            }
        }
    }

    @Override
    public synchronized Optional<String> downFor(Duration span) {
        return ready || System.nanoTime() - downSince < span.toNanos()
                ? Optional.empty()
                : Optional.of("the gate is down (" + problem + ")");
    }

    synchronized GateSupervision supervision() {
        return new GateSupervision(ready, starts, ready ? Optional.empty() : Optional.of(problem));
    }
}

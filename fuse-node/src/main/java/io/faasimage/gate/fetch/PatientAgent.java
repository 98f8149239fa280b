package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;
import java.time.Duration;

/**
 * An agent whose absence is waited out: where there is no service, nobody else could bring an object. Thread-safe.
 *
 * @param agent that comes and goes
 * @param patience the longest wait for one that is away
 */
public record PatientAgent(Agent agent, Duration patience) implements Agent {
    private static final Duration PAUSE = Duration.ofMillis(200);

    @Override
    public Reply fetch(Digest digest) {
        Reply reply = agent.fetch(digest);
        long begin = System.nanoTime();
        while (reply instanceof Reply.Absent(String reason)) {
            if (System.nanoTime() - begin > patience.toNanos()) {
                return new Reply.Failed("the node agent is away, and there is no service: " + reason);
            }
            try {
                Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Reply.Failed("interrupted while waiting for the node agent");
            }
            long asked = System.nanoTime();
            reply = agent.fetch(digest);
            // It was there for a while, and has gone again.
            begin = System.nanoTime() - asked > PAUSE.toNanos() * 5 ? System.nanoTime() : begin;
        }
        return reply;
    }
}

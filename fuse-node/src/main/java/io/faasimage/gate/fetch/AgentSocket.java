package io.faasimage.gate.fetch;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlException;
import io.faasimage.api.control.object.FetchRequest;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** The node agent behind its unix socket. An agent that is silent for too long counts as none. */
public final class AgentSocket implements Agent {
    private static final Logger LOG = System.getLogger(AgentSocket.class.getName());

    private final Path socket;
    private final ControlClient client;
    private final Duration silence;
    private final Duration cap;

    /** The agent at {@code socket}; a call lasts as long as it says that it continues, up to the cap. */
    public AgentSocket(Path socket, FetchLimits limits) {
        this.socket = socket;
        this.client = new ControlClient(socket);
        this.silence = limits.silence();
        this.cap = limits.cap();
    }

    @Override
    public Reply fetch(Digest digest) {
        if (!Files.exists(socket)) {
            return new Reply.Absent("nothing listens at " + socket);
        }
        AtomicLong heard = new AtomicLong(System.nanoTime());
        FutureTask<Reply> call = new FutureTask<>(() -> call(digest, heard));
        Thread.ofVirtual().name("agent-call").start(call);
        try {
            return await(call, heard);
        } catch (ExecutionException e) {
            return new Reply.Absent(String.valueOf(e.getCause()));
        } catch (InterruptedException e) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            return new Reply.Failed("interrupted while waiting for object " + digest);
        }
    }

    private Reply await(FutureTask<Reply> call, AtomicLong heard) throws ExecutionException, InterruptedException {
        long end = System.nanoTime() + cap.toNanos();
        while (true) {
            long left = Math.min(heard.get() + silence.toNanos(), end) - System.nanoTime();
            if (left <= 0) {
                call.cancel(true);
                String reason = "it was silent for " + silence.toMillis() + " ms";
                LOG.log(Level.WARNING, "the node agent gets no further request for this object: " + reason);
                return new Reply.Absent(reason);
            }
            try {
                return call.get(left, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // It may have been heard meanwhile; the loop looks.
            }
        }
    }

    private Reply call(Digest digest, AtomicLong heard) {
        try {
            client.call(ObjectOperations.FETCH, new FetchRequest(digest), event -> heard.set(System.nanoTime()));
            return new Reply.Brought();
        } catch (ControlException e) {
            return new Reply.Failed(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            return new Reply.Absent(String.valueOf(e.getMessage()));
        }
    }
}

package io.faasimage.adapter.warm;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A node agent behind its control socket on this machine. Thread-safe. */
public final class NodeSocket implements WarmHints.Node {
    private final Path socket;
    private final ControlClient client;
    private final Duration limit;

    /**
     * The agent that listens at {@code socket}.
     *
     * @param limit for its answer
     */
    public NodeSocket(Path socket, Duration limit) {
        this.socket = socket;
        this.client = new ControlClient(socket);
        this.limit = limit;
    }

    @Override
    public void warm(String chain) throws IOException {
        Optional<TraceParent> span = CurrentSpan.get();
        FutureTask<Object> call = new FutureTask<>(() ->
                CurrentSpan.call(span, () -> client.call("warm", Map.of("chain", chain), event -> {})));
        Thread.ofVirtual().name("node-warm").start(call);
        try {
            call.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // Interrupts the thread, which closes the connection.
            call.cancel(true);
            throw new IOException("the node agent at " + socket + " did not answer in " + limit.toSeconds() + " s", e);
        } catch (ExecutionException e) {
            throw new IOException(
                    String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()), e);
        } catch (InterruptedException e) {
            call.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}

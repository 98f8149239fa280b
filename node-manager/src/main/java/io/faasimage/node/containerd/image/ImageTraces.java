package io.faasimage.node.containerd.image;

import io.faasimage.api.control.node.ImageTraceOutcome;
import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.ImageReference;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import io.faasimage.node.starts.trace.RegisteredReadiness;
import io.faasimage.node.starts.trace.StartTracer;
import io.faasimage.node.starts.trace.TraceOutbox;
import io.faasimage.node.starts.trace.TraceRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Traces on request: pulls an image, starts a container of it with {@code ctr}, and ends the container when the trace
 * is complete.
 */
public final class ImageTraces {
    private static final Duration STARTING = Duration.ofMinutes(2);
    private static final Duration DELIVERY = Duration.ofSeconds(30);
    private static final Duration REMOVAL = Duration.ofSeconds(15);
    private static final long POLL_MILLIS = 100;
    private static final int SHOWN_OUTPUT_BYTES = 2000;

    private final Images images;
    private final StartTracer tracer;
    private final TraceOutbox outbox;
    private final boolean isDelivered;
    private final RegisteredReadiness registered;
    private final Path containerd;
    private final Path scratch;

    /**
     * Traces with {@code tracer}.
     *
     * @param isDelivered whether there is a service that gets traces
     * @param containerd containerd's socket, for {@code ctr}
     * @param scratch directory for the containers' output
     */
    public ImageTraces(
            Images images,
            StartTracer tracer,
            TraceOutbox outbox,
            boolean isDelivered,
            RegisteredReadiness registered,
            Path containerd,
            Path scratch) {
        this.isDelivered = isDelivered;
        this.registered = registered;
        this.images = images;
        this.tracer = tracer;
        this.outbox = outbox;
        this.containerd = containerd;
        this.scratch = scratch;
    }

    /**
     * A request to trace an image.
     *
     * @param image reference
     * @param namespace of containerd
     * @param arguments for the container instead of the image's own; empty for those
     * @param hostNetwork whether the container uses the node's network
     * @param request how to trace; without a readiness, the one that the image is registered with is used
     */
    public record Order(
            ImageReference image, String namespace, List<String> arguments, boolean hostNetwork, TraceRequest request) {
        public Order {
            arguments = List.copyOf(arguments);
        }
    }

    /** Traces the image; blocks until the trace is at the registry, or its delivery takes too long. */
    public ImageTraceOutcome trace(Order order, Consumer<TaskProgress> progress) throws IOException {
        Stopwatch watch = new Stopwatch();
        ImageDocuments image = images.resolve(order.image());
        images.pull(order.image(), order.namespace(), false, progress);
        Optional<Readiness> readiness = order.request().readiness();
        if (readiness.isEmpty()) {
            readiness = registered.of(image.top(), image.manifest().descriptor().digest());
        }
        TraceRequest request = new TraceRequest(readiness, order.request().limits());
        CompletableFuture<Trace> armed = tracer.arm(image.top(), request);
        Trace trace;
        try {
            trace = runTraced(order, armed, progress);
        } finally {
            armed.cancel(false);
        }
        progress.accept(TaskProgress.deliver());
        boolean delivered = isDelivered && awaitDelivery();
        return new ImageTraceOutcome(
                order.image().toString(),
                image.top().toString(),
                trace.entries().size(),
                delivered,
                readiness.orElse(null),
                Base64.getEncoder().encodeToString(TraceCodec.encode(trace)),
                watch.total());
    }

    private Trace runTraced(Order order, CompletableFuture<Trace> armed, Consumer<TaskProgress> progress)
            throws IOException {
        String id = "faasimage-trace-" + UUID.randomUUID();
        Path output = Files.createTempFile(Files.createDirectories(scratch), "trace-", ".log");
        Process container = new ProcessBuilder(runCommand(order, id))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            container.getOutputStream().close();
            return await(order, armed, container, output, progress);
        } finally {
            end(order, id, container);
            Files.deleteIfExists(output);
        }
    }

    private List<String> ctr(Order order, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("ctr", "--address", containerd.toString(), "-n", order.namespace()));
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> runCommand(Order order, String id) {
        List<String> command = ctr(order, "run", "--rm", "--snapshotter", images.snapshotter());
        if (order.hostNetwork()) {
            command.add("--net-host");
        }
        command.add(order.image().toString());
        command.add(id);
        command.addAll(order.arguments());
        return command;
    }

    private static Trace await(
            Order order,
            CompletableFuture<Trace> armed,
            Process container,
            Path output,
            Consumer<TaskProgress> progress)
            throws IOException {
        long limit = order.request().limits().limit().plus(STARTING).toMillis();
        for (long waited = 0; waited < limit; waited += POLL_MILLIS) {
            try {
                return armed.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                progress.accept(TaskProgress.trace(waited / 1000, limit / 1000));
                if (!container.isAlive() && container.exitValue() != 0) {
                    throw new IOException(
                            "the container ended with code " + container.exitValue() + " before its start was traced: "
                                    + tail(output),
                            e);
                }
            } catch (ExecutionException e) {
                throw new IOException("the start was not traced: " + e.getCause(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while a start was traced", e);
            }
        }
        throw new IOException(
                "the trace did not end within " + limit / 1000 + " s; the container said: " + tail(output));
    }

    private static String tail(Path output) throws IOException {
        byte[] all = Files.readAllBytes(output);
        int from = Math.max(0, all.length - SHOWN_OUTPUT_BYTES);
        return new String(all, from, all.length - from, StandardCharsets.UTF_8).strip();
    }

    private void end(Order order, String id, Process container) throws IOException {
        runQuietly(ctr(order, "task", "kill", "-s", "SIGKILL", id));
        if (!waitFor(container)) {
            container.destroyForcibly();
        }
        // ctr run --rm has removed it when it ended by itself.
        runQuietly(ctr(order, "task", "rm", "--force", id));
        runQuietly(ctr(order, "container", "rm", id));
    }

    private static void runQuietly(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (!waitFor(process)) {
            process.destroyForcibly();
        }
    }

    private static boolean waitFor(Process process) {
        try {
            return process.waitFor(REMOVAL.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean awaitDelivery() throws IOException {
        for (long waited = 0; waited < DELIVERY.toMillis(); waited += POLL_MILLIS) {
            if (outbox.pending().isEmpty()) {
                return true;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }
}

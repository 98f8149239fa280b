package io.faasimage.node.control;

import io.faasimage.api.control.ControlHandler;
import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.ImageReference;
import io.faasimage.node.image.ImageTraces;
import io.faasimage.node.image.ImageTraces.Order;
import io.faasimage.node.image.Images;
import io.faasimage.node.lazy.PlannedImages.Refreshed;
import io.faasimage.node.prefetch.RuntimeBases;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.storage.StorageKeeper;
import io.faasimage.node.trace.TraceLimits;
import io.faasimage.node.trace.TraceRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** The commands of {@code node.sock}: status, plans, pull, trace, warm, prune, stop. Thread-safe. */
public final class NodeControl implements ControlHandler {
    private static final Duration WARM_LIMIT = Duration.ofMinutes(30);

    private final NodeStatus status;
    private final Images images;
    private final ImageTraces traces;
    private final RuntimeBases bases;
    private final StorageKeeper storage;
    private final Consumer<Boolean> stop;

    /**
     * Commands for these parts.
     *
     * @param stop ends the process, and the gate too when told true; returns at once
     */
    public NodeControl(
            NodeStatus status,
            Images images,
            ImageTraces traces,
            RuntimeBases bases,
            StorageKeeper storage,
            Consumer<Boolean> stop) {
        this.status = status;
        this.images = images;
        this.traces = traces;
        this.bases = bases;
        this.storage = storage;
        this.stop = stop;
    }

    @Override
    public Object handle(String command, JsonNode request, Consumer<Object> events) throws IOException {
        return switch (command) {
            case "status" -> status.status();
            case "plans" -> status.plans();
            case "pull" ->
                images.pull(
                        image(request), namespace(request), request.path("wait").asBoolean(false), events);
            case "content" -> images.content(image(request), namespace(request), events);
            case "trace" -> traces.trace(order(request), events);
            case "warm" ->
                request.has("chain")
                        ? warm(chain(request))
                        : warm(request.path("runtime").asString(""));
            case "prune" -> storage.prune(request.path("all").asBoolean(false));
            case "stop" -> {
                stop.accept(request.path("gate").asBoolean(false));
                yield Map.of("stopping", true);
            }
            default ->
                throw new IOException(
                        "unknown command; this node supports status, plans, pull, content, trace, warm, prune and stop, not '"
                                + command + "'");
        };
    }

    /** Begins the pull of an image's prefetch list and does not wait for it: a hint that a start of it is likely. */
    private Object warm(ChainId chain) throws IOException {
        Refreshed plan = images.warm(chain);
        if (plan.plan().isEmpty()) {
            throw new IOException("nothing to warm for chain " + chain + ": " + plan.reason());
        }
        return Map.of("plan", plan.plan().get().digest().toString());
    }

    private static ChainId chain(JsonNode request) throws IOException {
        try {
            return ChainId.parse(request.path("chain").asString(""));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Object warm(String runtime) throws IOException {
        try {
            PullReport report = bases.warm(runtime).done().get(WARM_LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (!report.complete()) {
                throw new IOException(report.missing() + " objects of the base of " + runtime + " were not fetched: "
                        + String.join("; ", report.failures()));
            }
            return Map.of(
                    "runtime", runtime,
                    "plan", report.plan().toString(),
                    "held", report.held(),
                    "objects", report.objects(),
                    "bytes", report.wireBytes(),
                    "millis", report.took().toMillis());
        } catch (TimeoutException e) {
            throw new IOException(
                    "the base of " + runtime + " was not fetched within " + WARM_LIMIT.toMinutes()
                            + " minutes; the pull continues, see `faasimage node status`",
                    e);
        } catch (ExecutionException e) {
            throw new IOException("the pull of the base of " + runtime + " failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the base of " + runtime + " was pulled", e);
        }
    }

    private static ImageReference image(JsonNode request) throws IOException {
        try {
            return ImageReference.parse(request.path("image").asString(""));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String namespace(JsonNode request) throws IOException {
        String namespace = request.path("namespace").asString("default");
        if (namespace.length() > 76 || !namespace.matches("[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")) {
            throw new IOException("not a namespace of containerd: '" + namespace + "'");
        }
        return namespace;
    }

    private static Order order(JsonNode request) throws IOException {
        TraceLimits usual = TraceLimits.DEFAULT;
        int seconds = request.path("limitSeconds").asInt((int) usual.limit().toSeconds());
        if (seconds < 1 || seconds > 3600) {
            throw new IOException("limitSeconds must be 1 to 3600, not " + seconds);
        }
        TraceLimits limits = new TraceLimits(
                usual.quiet(), Duration.ofSeconds(seconds), usual.settle(), usual.startWithin(), usual.files());
        List<String> arguments = new ArrayList<>();
        request.path("arguments").forEach(argument -> arguments.add(argument.asString("")));
        return new Order(
                image(request),
                namespace(request),
                arguments,
                request.path("hostNetwork").asBoolean(false),
                new TraceRequest(readiness(request), limits));
    }

    private static Optional<Readiness> readiness(JsonNode request) throws IOException {
        int port = request.path("readinessPort").asInt(0);
        if (port == 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Readiness(port, request.path("readinessPath").asString("/")));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}

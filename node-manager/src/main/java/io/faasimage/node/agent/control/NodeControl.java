package io.faasimage.node.agent.control;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.node.ContentOutcome;
import io.faasimage.api.control.node.ContentRequest;
import io.faasimage.api.control.node.ImageTraceRequest;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.api.control.node.WarmOutcome;
import io.faasimage.api.control.node.WarmRequest;
import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.ImageReference;
import io.faasimage.node.containerd.image.ImageTraces;
import io.faasimage.node.containerd.image.ImageTraces.Order;
import io.faasimage.node.containerd.image.Images;
import io.faasimage.node.containerd.image.Namespaces;
import io.faasimage.node.plans.lazy.PlannedImages.Refreshed;
import io.faasimage.node.plans.prefetch.RuntimeBases;
import io.faasimage.node.plans.storage.StorageKeeper;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.starts.trace.TraceLimits;
import io.faasimage.node.starts.trace.TraceRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The operations of {@code node.sock}. Thread-safe. */
public final class NodeControl {
    private static final Duration WARM_LIMIT = Duration.ofMinutes(30);

    private final StatusReport status;
    private final Images images;
    private final ImageTraces traces;
    private final RuntimeBases bases;
    private final StorageKeeper storage;
    private final Consumer<Boolean> stop;

    /**
     * Commands for these parts.
     *
     * @param stop ends the process, and the gate too when its argument is true; returns at once
     */
    public NodeControl(
            StatusReport status,
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

    /** For a server of {@code node.sock}. */
    public ControlHandlers handlers() {
        return new ControlHandlers()
                .on(NodeOperations.STATUS, (request, events) -> status.status())
                .on(NodeOperations.PLANS, (request, events) -> status.plans())
                .on(NodeOperations.PULL, this::pull)
                .on(NodeOperations.CONTENT, this::content)
                .on(NodeOperations.TRACE, (request, events) -> traces.trace(order(request), events))
                .on(NodeOperations.WARM, (request, events) -> warm(request))
                .on(NodeOperations.PRUNE, (request, events) -> storage.prune(request.all()))
                .on(NodeOperations.STOP, (request, events) -> {
                    stop.accept(request.gate());
                    return new Empty();
                });
    }

    private PullOutcome pull(PullRequest request, Consumer<TaskProgress> events) throws IOException {
        return images.pull(image(request.image()), namespace(request.namespace()), request.waits(), events);
    }

    private ContentOutcome content(ContentRequest request, Consumer<TaskProgress> events) throws IOException {
        return images.content(image(request.image()), namespace(request.namespace()), events);
    }

    private WarmOutcome warm(WarmRequest request) throws IOException {
        String chain = request.chain();
        if (chain != null) {
            return warm(chain(chain));
        }
        String runtime = request.runtime();
        return warm(runtime == null ? "" : runtime);
    }

    /** Begins the pull of an image's prefetch list and does not wait for it: a hint that a start of it is likely. */
    private WarmOutcome warm(ChainId chain) throws IOException {
        Refreshed plan = images.warm(chain);
        if (plan.plan().isEmpty()) {
            throw new IOException("nothing to warm for chain " + chain + ": " + plan.reason());
        }
        return WarmOutcome.begun(plan.plan().get().digest().toString());
    }

    private static ChainId chain(String chain) throws IOException {
        try {
            return ChainId.parse(chain);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private WarmOutcome warm(String runtime) throws IOException {
        try {
            PullReport report = bases.warm(runtime).done().get(WARM_LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (!report.complete()) {
                throw new IOException(report.missing() + " objects of the base of " + runtime + " were not fetched: "
                        + String.join("; ", report.failures()));
            }
            return new WarmOutcome(
                    report.plan().toString(),
                    runtime,
                    report.held(),
                    report.objects(),
                    report.wireBytes(),
                    report.took().toMillis());
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

    private static ImageReference image(@Nullable String image) throws IOException {
        try {
            return ImageReference.parse(image == null ? "" : image);
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static String namespace(@Nullable String wanted) throws IOException {
        String namespace = wanted == null ? "default" : wanted;
        if (!Namespaces.isOne(namespace)) {
            throw new IOException("not a namespace of containerd: '" + namespace + "'");
        }
        return namespace;
    }

    private static Order order(ImageTraceRequest request) throws IOException {
        List<String> arguments = request.arguments();
        return new Order(
                image(request.image()),
                namespace(request.namespace()),
                arguments == null ? List.of() : arguments,
                request.hostNetwork(),
                new TraceRequest(readiness(request), limits(request.limitSeconds())));
    }

    private static TraceLimits limits(@Nullable Integer wanted) throws IOException {
        TraceLimits usual = TraceLimits.DEFAULT;
        Duration limit = wanted == null ? usual.limit() : Duration.ofSeconds(wanted);
        if (limit.toSeconds() < 1 || limit.toSeconds() > 3600) {
            throw new IOException("limitSeconds must be 1 to 3600, not " + limit.toSeconds());
        }
        return new TraceLimits(usual.quiet(), limit, usual.settle(), usual.startWithin(), usual.files());
    }

    private static Optional<Readiness> readiness(ImageTraceRequest request) throws IOException {
        Integer port = request.readinessPort();
        if (port == null || port == 0) {
            return Optional.empty();
        }
        String path = request.readinessPath();
        try {
            return Optional.of(new Readiness(port, path == null ? "/" : path));
        } catch (IllegalArgumentException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}

package io.faasimage.registry.build;

import io.faasimage.builder.BuildListener;
import io.faasimage.builder.BuildResult;
import io.faasimage.builder.ImageBuilder;
import io.faasimage.builder.tree.FileTree;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.function.FunctionService;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.replica.ReplicaLost;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import io.faasimage.registry.tenant.Tenants;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;

/**
 * The threads that run builds and register their images. A build whose service ends has failed: its code is gone with
 * the request. Thread-safe.
 */
@Component
class BuildWorkers implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(BuildWorkers.class);
    private static final String ABANDONED =
            "the service stopped while the function waited or was built; build it again";
    private static final int STOP_SECONDS = 20;

    private record Failure(TenantName tenant, String reason) {}

    private final ImageBuilder builder;
    private final BuildTable builds;
    private final BuildFiles files;
    private final BuildLeftovers leftovers;
    private final OutputCopies outputs;
    private final FunctionService functions;
    private final Tenants tenants;
    private final BuildSettings settings;
    private final Map<String, Failure> untold = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor threads;
    private volatile boolean running;

    BuildWorkers(
            ImageBuilder builder,
            BuildTable builds,
            BuildFiles files,
            BuildLeftovers leftovers,
            OutputCopies outputs,
            FunctionService functions,
            Tenants tenants,
            BuildSettings settings) {
        this.builder = builder;
        this.builds = builds;
        this.files = files;
        this.leftovers = leftovers;
        this.outputs = outputs;
        this.functions = functions;
        this.tenants = tenants;
        this.settings = settings;
        this.threads = new ThreadPoolExecutor(
                settings.workers(),
                settings.workers(),
                1,
                TimeUnit.MINUTES,
                new LinkedBlockingQueue<>(settings.queue()),
                Thread.ofPlatform().name("build-", 0).factory());
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    public void start() {
        tenants.each("end the builds", this::abandon);
        running = true;
        // Not before: what cannot be removed, or takes long, does not keep the service from starting.
        Thread.ofPlatform().daemon().name("build-leftovers").start(leftovers::remove);
    }

    private void abandon() {
        int abandoned = builds.abandon(ABANDONED);
        if (abandoned > 0) {
            LOG.info("{} builds had not ended when their service stopped; they have failed", abandoned);
        }
    }

    /** Its builds went with it. */
    @EventListener
    void lost(ReplicaLost lost) {
        tenants.each("end the builds", this::abandon);
    }

    /** Whether one more build may wait. Only the caller adds builds meanwhile. */
    boolean hasRoom() {
        return threads.getQueue().remainingCapacity() > 0;
    }

    /** Runs a build when it is its turn. */
    void run(BuildOrder order) {
        threads.execute(TenantScope.bound(() -> {
            try {
                build(order);
            } finally {
                clean(order);
            }
        }));
    }

    private void build(BuildOrder order) {
        try {
            builds.progress(order.id(), "starts", 0, 0);
            BuildResult result = image(order);
            if (!builds.progress(order.id(), "registers the function", 0, 0)) {
                LOG.warn(
                        "build {} of function {} was abandoned when another service considered this one dead:"
                                + " nothing is registered",
                        order.id(),
                        order.function().name());
                return;
            }
            order.actor().call(() -> functions.register(order.function()));
            builds.done(order.id(), result.manifest().toString());
            LOG.info(
                    "build {} of function {} done: {}",
                    order.id(),
                    order.function().name(),
                    result.manifest());
        } catch (IOException | ProblemException e) {
            fail(order, running ? String.valueOf(e.getMessage()) : ABANDONED);
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "build {} of function {} failed",
                    order.id(),
                    order.function().name(),
                    e);
            fail(order, running ? "the service failed in an unexpected way (" + e + "); see its log" : ABANDONED);
        }
    }

    private BuildResult image(BuildOrder order) throws IOException {
        try (OutputCopies.Copy _ = outputs.follow(order.id())) {
            return builder.build(
                    order.id(),
                    files.code(order.id()).resolve("function"),
                    order.request(),
                    files.output(order.id()),
                    (phase, done, total) -> builds.progress(order.id(), describe(phase), done, total));
        }
    }

    private static String describe(BuildListener.Phase phase) {
        return switch (phase) {
            case RUNTIME -> "fetches the runtime";
            case LIBRARIES -> "installs the libraries";
            case LAYERS -> "writes the layers";
            case PUSH -> "pushes the layers";
        };
    }

    private void fail(BuildOrder order, String reason) {
        // An interrupt has done its work: what follows has to reach the database.
        Thread.interrupted();
        LOG.warn(
                "build {} of function {} failed: {}",
                order.id(),
                order.function().name(),
                reason.lines().findFirst().orElse(""));
        // PostgreSQL takes no NUL, and a package manager may have printed one.
        untold.put(order.id(), new Failure(TenantScope.current(), reason.replace("\0", "")));
        tellEnds();
    }

    /**
     * Writes down the failures that the database did not take when they happened: else their functions could not be
     * built again.
     */
    void tellEnds() {
        untold.forEach((id, failure) -> {
            try {
                TenantScope.run(failure.tenant(), () -> builds.failed(id, failure.reason()));
                untold.remove(id);
            } catch (DataAccessException e) {
                LOG.warn(
                        "the failure of build {} could not be written to the database, will be tried again: {}",
                        id,
                        e.toString());
            }
        });
    }

    private void clean(BuildOrder order) {
        try {
            FileTree.remove(files.code(order.id()));
            builds.prune(settings.kept());
        } catch (IOException | DataAccessException e) {
            LOG.warn("could not remove the files of build {}: {}", order.id(), e.toString());
        }
    }

    @Override
    public void stop() {
        running = false;
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("a build does not end; its container is removed at the next start");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}

package io.faasimage.registry.build;

import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.registry.audit.AuditAction;
import io.faasimage.registry.audit.AuditLog;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.job.Builds;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import io.faasimage.registry.replica.DatabaseLocks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** The builds of functions: it accepts requests, and reports their progress. Thread-safe. */
@Service
public class BuildService implements Builds {
    private static final Logger LOG = LoggerFactory.getLogger(BuildService.class);
    private static final int MAX_OUTPUT = 256 << 10;
    private static final Duration RETRY = Duration.ofSeconds(30);

    private final BuildOrders orders;
    private final BuildTable builds;
    private final BuildFiles files;
    private final OutputTable outputs;
    private final BuildQueue queue;
    private final BuildRuns runs;
    private final DatabaseLocks locks;
    private final TransactionOperations transaction;
    private final AuditLog audit;
    private final BuildSettings settings;
    private final Clock clock;

    BuildService(
            BuildOrders orders,
            BuildTable builds,
            BuildFiles files,
            OutputTable outputs,
            BuildQueue queue,
            BuildRuns runs,
            BuildSettings settings,
            DatabaseLocks locks,
            TransactionOperations transaction,
            AuditLog audit,
            Clock clock) {
        this.locks = locks;
        this.transaction = transaction;
        this.audit = audit;
        this.clock = clock;
        this.settings = settings;
        this.orders = orders;
        this.builds = builds;
        this.files = files;
        this.outputs = outputs;
        this.queue = queue;
        this.runs = runs;
    }

    /** Where the archive of a request is put. */
    @FunctionalInterface
    public interface Archive {
        /** Moves or copies it to {@code file}. */
        void transferTo(Path file) throws IOException;
    }

    /** Checks a request, has a builder check its archive, then queues the build, which keeps its secrets in memory. */
    public BuildInfo submit(BuildRequest request, BuildSecrets secrets, Archive archive) {
        String id = UUID.randomUUID().toString();
        try {
            BuildOrder order = orders.order(id, request, secrets);
            files.newCode(id);
            boolean queued = false;
            try {
                Path spool = files.archive(id);
                archive.transferTo(spool);
                ArchiveCheck.run(queue, order, spool);
                queue(order);
                queued = true;
            } finally {
                if (!queued) {
                    files.remove(id);
                }
            }
            LOG.info(
                    "build {} of function {} for {} accepted",
                    id,
                    request.name(),
                    order.request().runtime().name());
            return get(id);
        } catch (BuildException e) {
            throw new ProblemException(ArchiveCheck.kind(e.kind()), String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new ProblemException(
                    ProblemKind.STORAGE, "the archive could not be kept (" + e + "); is the service's disk full?", e);
        }
    }

    private void queue(BuildOrder order) {
        locks.holding(DatabaseLocks.Name.BUILDS, () -> {
            runs.tellEnds();
            builds.unfinished(order.function().name()).ifPresent(other -> {
                throw new ProblemException(
                        ProblemKind.CONFLICT,
                        "function '" + other.function() + "' is being built, see /v1/builds/" + other.id()
                                + "; wait for its end");
            });
            if (!runs.hasRoom()) {
                throw ProblemException.retryLater(ProblemKind.BUSY, "too many builds wait; try again later", RETRY);
            }
            add(order);
            runs.run(order);
            return true;
        });
    }

    private void add(BuildOrder order) {
        String function = order.function().name();
        String runtime = order.request().runtime().name();
        String image = order.function().image();
        transaction.executeWithoutResult(_ -> {
            builds.add(order.id(), function, runtime, image);
            audit.add(AuditAction.BUILD_SUBMIT, function, null, details(order, runtime, image));
        });
    }

    private static Map<String, String> details(BuildOrder order, String runtime, String image) {
        Map<String, String> details = new TreeMap<>(Map.of("build", order.id(), "runtime", runtime, "image", image));
        if (!order.request().secrets().isEmpty()) {
            details.put("secrets", String.join(", ", order.request().secrets().ids()));
        }
        return details;
    }

    /** One build. */
    public BuildInfo get(String id) {
        runs.tellEnds();
        return builds.find(id)
                .orElseThrow(() -> ProblemException.notFound(
                        "no build '" + id + "' is known; GET /v1/builds lists the known ones"));
    }

    @Override
    public List<BuildInfo> all() {
        runs.tellEnds();
        return builds.all();
    }

    /**
     * What the package manager of a build has printed, at whichever service, from a byte on, up to a quarter of a MiB.
     */
    public byte[] output(String id, long from) {
        return outputs.read(get(id).id(), Math.max(0, from), MAX_OUTPUT);
    }

    /** Forgets what builds printed too long ago. */
    public void age() {
        outputs.forget(clock.instant().minus(settings.keptOutput()));
    }
}

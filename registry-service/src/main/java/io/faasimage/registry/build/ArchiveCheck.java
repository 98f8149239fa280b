package io.faasimage.registry.build;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.protocol.BuildReport;
import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The check of an archive by a builder, for which its sender waits. Thread-safe. */
final class ArchiveCheck implements BuilderWork {
    /** Less than clients wait for their answer. */
    private static final Duration LIMIT = Duration.ofSeconds(25);

    private static final Duration RETRY = Duration.ofSeconds(30);

    private final BuildOrder order;
    private final Path archive;
    private final CompletableFuture<BuildReport.End> end = new CompletableFuture<>();

    private ArchiveCheck(BuildOrder order, Path archive) {
        this.order = order;
        this.archive = archive;
    }

    /**
     * Has a builder unpack the archive.
     *
     * @throws ProblemException when it cannot be, or no builder does
     */
    static void run(BuildQueue queue, BuildOrder order, Path archive) {
        ArchiveCheck check = new ArchiveCheck(order, archive);
        if (!queue.offer(check)) {
            throw ProblemException.retryLater(
                    ProblemKind.BUSY, "too many archives wait for their check; try again later", RETRY);
        }
        try {
            check.await();
        } finally {
            queue.withdraw(check);
        }
    }

    private void await() {
        try {
            BuildReport.End found = end.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            @Nullable String error = found.error();
            if (error != null) {
                throw new ProblemException(kind(found.kind()), error);
            }
        } catch (TimeoutException e) {
            throw new ProblemException(
                    ProblemKind.CANNOT_BUILD,
                    "no builder has checked the archive within " + LIMIT.toSeconds()
                            + " s; does faasimage-builder run? The service's log says what became of its own one",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProblemException(ProblemKind.CANNOT_BUILD, "the service stops; send the archive again", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("nothing completes it so", e);
        }
    }

    /** The kind of problem that a builder's error is to the sender. */
    static ProblemKind kind(BuildException.@Nullable Kind kind) {
        return switch (kind) {
            case BAD_REQUEST -> ProblemKind.BAD_REQUEST;
            case TOO_LARGE -> ProblemKind.TOO_LARGE;
            case INSTALL, LIMIT, CANCELLED -> ProblemKind.IMAGE_UNUSABLE;
            case MACHINE -> ProblemKind.STORAGE;
            case null -> ProblemKind.CANNOT_BUILD;
        };
    }

    @Override
    public BuildTask.Kind kind() {
        return BuildTask.Kind.CHECK;
    }

    @Override
    public String build() {
        return order.id();
    }

    @Override
    public Path archive() {
        return archive;
    }

    @Override
    public BuildTask task(String lease, int attempt) {
        return new BuildTask(lease, order.id(), attempt, kind(), order.request().withoutSecrets(), List.of());
    }

    /** A check prints nothing. */
    @Override
    public long report(BuildReport report) {
        return report.position() + report.printed().length;
    }

    @Override
    public void ended(BuildReport.End result) {
        end.complete(result);
    }

    @Override
    public void lost(String reason) {
        end.complete(BuildReport.End.failed("the archive could not be checked: " + reason));
    }
}

package io.faasimage.registry.functions.function;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.images.image.ImageRow;
import io.faasimage.registry.images.image.ImageTable;
import io.faasimage.registry.images.job.JobService;
import io.faasimage.registry.images.job.JobTable;
import io.faasimage.registry.platform.audit.AuditAction;
import io.faasimage.registry.platform.audit.AuditLog;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.store.trace.TraceTable;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/**
 * The removal of an image's trace and plans, so that its next start on a node without a plan of it is traced like the
 * first. Thread-safe.
 */
@Service
class Retracing {
    private static final Logger LOG = LoggerFactory.getLogger(Retracing.class);

    private final FunctionTable functions;
    private final ImageTable images;
    private final TraceTable traces;
    private final ImageRemoval removal;
    private final JobTable jobTable;
    private final JobService jobs;
    private final AuditLog audit;

    Retracing(
            FunctionTable functions,
            ImageTable images,
            TraceTable traces,
            ImageRemoval removal,
            JobTable jobTable,
            JobService jobs,
            AuditLog audit) {
        this.functions = functions;
        this.images = images;
        this.traces = traces;
        this.removal = removal;
        this.jobTable = jobTable;
        this.jobs = jobs;
        this.audit = audit;
    }

    /** Forgets the trace of an image, and the plans that were made of it; also those of images with the same layers. */
    public void forgetTrace(Digest image) {
        ChainId top = images.find(image)
                .map(ImageRow::topChain)
                .orElseThrow(() -> ProblemException.notFound(
                        "no image " + image + " is registered; GET /v1/images lists the registered ones"));
        jobs.betweenTraces(() -> {
            List<String> alike = forget(top).stream().map(Digest::toString).toList();
            audit.add(AuditAction.IMAGE_RETRACE, image.toString(), Map.of("images", alike), null);
            return true;
        });
        LOG.info("trace and plans of image {} forgotten", image);
    }

    /** The images whose trace it was. */
    private List<Digest> forget(ChainId top) {
        List<Digest> alike = images.withTop(top).stream()
                .map(ImageRow::digest)
                .sorted(Comparator.comparing(Digest::toString))
                .toList();
        for (Digest image : alike) {
            if (images.lock(image)) {
                functions.of(image).stream()
                        .filter(function -> function.pinned() != null)
                        .findFirst()
                        .ifPresent(pinned -> {
                            throw new ProblemException(
                                    ProblemKind.CONFLICT,
                                    "function '" + pinned.name() + "' is pinned to a plan of image " + image
                                            + "; unpin it first");
                        });
                removal.removePlans(image);
                if (jobTable.running().stream().anyMatch(job -> job.image().equals(image.toString()))) {
                    throw new ProblemException(
                            ProblemKind.CONFLICT, "a refactor job of image " + image + " is running; wait for its end");
                }
                images.untraced(image);
            }
        }
        traces.remove(top);
        return alike;
    }
}

package io.faasimage.registry.images.image;

import io.faasimage.api.image.ChainInfo;
import io.faasimage.api.image.ChainInfo.ChainImage;
import io.faasimage.api.image.Readiness;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.problem.Digests;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.trace.TraceRow;
import io.faasimage.registry.store.trace.TraceTable;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/chains}: the requests of a node that is given a layer. */
@RestController
class ChainController {
    /** The starts of an image that show which parts of its large files they read. */
    private static final int RANGE_RUNS = 1;
    /** The same, of an image of which starts have missed something. */
    private static final int MOST_RANGE_RUNS = 3;

    private final ImageTable images;
    private final ImageFunctions functions;
    private final TraceTable traces;

    ChainController(ImageTable images, ImageFunctions functions, TraceTable traces) {
        this.images = images;
        this.functions = functions;
        this.traces = traces;
    }

    /**
     * The newest image whose whole is the chain. A container's start waits for this: no more than a few rows by their
     * keys are read.
     */
    @GetMapping(path = "/v1/chains/{chain}", produces = MediaType.APPLICATION_JSON_VALUE)
    ChainInfo chain(@PathVariable String chain) {
        ChainId id = new ChainId(Digests.parse(chain));
        ImageRow image = images.newestWithTop(id)
                .orElseThrow(() -> ProblemException.notFound("no registered image is the chain " + id));
        Optional<TraceRow> trace = traces.find(id);
        boolean rangesWanted = trace.isPresent() && areRangesWanted(image, trace.get());
        @Nullable Readiness readiness = functions.readiness(image.digest()).orElse(null);
        return new ChainInfo(
                id.toString(),
                image.plan().stream().map(Digest::toString).toList(),
                List.of(new ChainImage(
                        image.digest().toString(), image.name(), true, trace.isEmpty(), rangesWanted, readiness)));
    }

    private boolean areRangesWanted(ImageRow image, TraceRow trace) {
        return trace.rangeRuns() < RANGE_RUNS
                || (trace.rangeRuns() < MOST_RANGE_RUNS && images.hasMisses(image.digest()));
    }
}

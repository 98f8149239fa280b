package io.faasimage.registry.web;

import io.faasimage.api.ChainInfo;
import io.faasimage.api.ChainInfo.ChainImage;
import io.faasimage.api.FunctionInfo;
import io.faasimage.api.Readiness;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.function.FunctionTable;
import io.faasimage.registry.image.ImageRow;
import io.faasimage.registry.image.ImageTable;
import io.faasimage.registry.plan.PlanTable;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.trace.TraceTable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/chains}: what a node asks when it is given a layer. */
@RestController
class ChainController {
    private final ImageTable images;
    private final FunctionTable functions;
    private final TraceTable traces;
    private final PlanTable plans;

    ChainController(ImageTable images, FunctionTable functions, TraceTable traces, PlanTable plans) {
        this.images = images;
        this.functions = functions;
        this.traces = traces;
        this.plans = plans;
    }

    /** The plans and images that contain a chain. */
    @GetMapping(path = "/v1/chains/{chain}", produces = MediaType.APPLICATION_JSON_VALUE)
    ChainInfo chain(@PathVariable String chain) {
        ChainId id = new ChainId(Digests.parse(chain));
        List<String> containing =
                plans.containing(id).stream().map(Digest::toString).toList();
        List<ChainImage> registered = images.containing(id).stream()
                .map(image -> describe(image, image.topChain().equals(id)))
                .toList();
        if (containing.isEmpty() && registered.isEmpty()) {
            throw ProblemException.notFound("no registered image contains the chain " + id);
        }
        return new ChainInfo(id.toString(), containing, registered);
    }

    private ChainImage describe(ImageRow image, boolean top) {
        @Nullable
        Readiness readiness = functions.of(image.digest()).stream()
                .map(FunctionInfo::readiness)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        boolean traceWanted = traces.find(image.topChain()).isEmpty();
        return new ChainImage(image.digest().toString(), image.name(), top, traceWanted, readiness);
    }
}

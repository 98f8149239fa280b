package io.faasimage.registry.images.image;

import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.PlanVersion;
import io.faasimage.api.image.PredictionInfo;
import io.faasimage.api.rest.MediaTypes;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.problem.Digests;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.plan.PlanFiles;
import io.faasimage.registry.store.plan.PlanTable;
import io.faasimage.registry.store.plan.PredictionTable;
import io.faasimage.registry.store.trace.TraceStore;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/images}. */
@RestController
@RequestMapping("/v1/images")
class ImageController {
    private final ImageTable images;
    private final ImageViews views;
    private final TraceStore traces;
    private final PlanTable plans;
    private final PlanFiles planFiles;
    private final PredictionTable predictions;

    ImageController(
            ImageTable images,
            ImageViews views,
            TraceStore traces,
            PlanTable plans,
            PlanFiles planFiles,
            PredictionTable predictions) {
        this.images = images;
        this.views = views;
        this.traces = traces;
        this.plans = plans;
        this.planFiles = planFiles;
        this.predictions = predictions;
    }

    /** Lists the images, newest first. */
    @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    List<ImageInfo> all() {
        return views.all();
    }

    /** One image with its segments and libraries. */
    @GetMapping(path = "/{digest}", produces = MediaType.APPLICATION_JSON_VALUE)
    ImageInfo get(@PathVariable String digest) {
        Digest name = Digests.parse(digest);
        return views.find(name).orElseThrow(() -> unknown(name));
    }

    /** The encoded plan of an image. */
    @GetMapping(path = "/{digest}/plan", produces = MediaTypes.PLAN)
    ResponseEntity<byte[]> plan(@PathVariable String digest) {
        ImageRow image = find(digest);
        Digest plan = image.plan()
                .orElseThrow(() -> ProblemException.notFound("image " + image.digest() + " has no plan, it is "
                        + image.state() + "; a first start of it must be traced"));
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(MediaTypes.PLAN))
                .eTag("\"" + plan.hex() + "\"")
                .body(planFiles.read(plan));
    }

    /** The source of the prediction from which an image's plan was made. */
    @GetMapping(path = "/{digest}/prediction", produces = MediaType.APPLICATION_JSON_VALUE)
    PredictionInfo prediction(@PathVariable String digest) {
        ImageRow image = find(digest);
        return image.plan()
                .flatMap(predictions::of)
                .orElseThrow(() -> ProblemException.notFound("image " + image.digest() + " has no predicted plan"
                        + image.plan().map(_ -> "; its plan is from a trace").orElse("")));
    }

    /** The encoded trace of an image. */
    @GetMapping(path = "/{digest}/trace", produces = MediaTypes.TRACE)
    ResponseEntity<byte[]> trace(@PathVariable String digest) {
        ImageRow image = find(digest);
        byte[] trace = traces.read(image.topChain())
                .orElseThrow(() -> ProblemException.notFound(
                        "image " + image.digest() + " has no trace; start it once on a node"));
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(MediaTypes.TRACE))
                .body(trace);
    }

    /** The plans of an image that are remembered, newest first. */
    @GetMapping(path = "/{digest}/plans", produces = MediaType.APPLICATION_JSON_VALUE)
    List<PlanVersion> versions(@PathVariable String digest) {
        return plans.versions(find(digest).digest());
    }

    private ImageRow find(String digest) {
        Digest name = Digests.parse(digest);
        return images.find(name).orElseThrow(() -> unknown(name));
    }

    private static ProblemException unknown(Digest name) {
        return ProblemException.notFound(
                "no image " + name + " is registered; GET /v1/images lists the registered ones");
    }
}

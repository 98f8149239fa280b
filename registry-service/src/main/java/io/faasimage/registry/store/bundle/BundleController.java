package io.faasimage.registry.store.bundle;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.rest.MediaTypes;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.platform.connection.ClientStream;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.plan.PlanLayout;
import io.faasimage.registry.store.plan.PlanStatements;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/bundles}. */
@RestController
class BundleController {
    private static final int MAX_BASES = 64;

    private final BundleService bundles;
    private final BundleStreams streams;
    private final ImageModes modes;
    private final PlanStatements statements;

    BundleController(BundleService bundles, BundleStreams streams, ImageModes modes, PlanStatements statements) {
        this.bundles = bundles;
        this.streams = streams;
        this.modes = modes;
        this.statements = statements;
    }

    /** Sends the objects of a plan that a node lacks, or exactly those that it requests. */
    @PostMapping(path = "/v1/bundles", consumes = MediaType.APPLICATION_JSON_VALUE, produces = MediaTypes.BUNDLE)
    void bundle(
            @RequestBody BundleRequest request,
            @RequestHeader(name = BundleStream.BASES_HEADER, defaultValue = "") String bases,
            HttpServletResponse response) {
        try (BundleStreams.Place _ = streams.enter();
                BundleSender.Ready ready = bundles.prepare(request, bases(bases))) {
            response.setContentType(MediaTypes.BUNDLE);
            response.setContentLengthLong(ready.bundle().length());
            ready.bundle().layout().ifPresent(layout -> describe(layout, response));
            if (request.ranges() == null) {
                ready.bundle().layout().ifPresent(layout -> addStatement(layout, response));
            }
            ClientStream.sendDirect(response, target -> bundles.send(ready, target));
        }
    }

    private static List<Digest> bases(String header) {
        List<String> named = Arrays.stream(header.split(","))
                .map(String::strip)
                .filter(Predicate.not(String::isEmpty))
                .toList();
        if (named.size() > MAX_BASES) {
            throw ProblemException.badRequest(
                    BundleStream.BASES_HEADER + " names " + named.size() + " plans; it may name " + MAX_BASES);
        }
        return named.stream()
                .map(digest -> BundleService.digest(digest, BundleStream.BASES_HEADER))
                .toList();
    }

    /** Workers of a pull that fetch objects have the plan already. */
    private void addStatement(PlanLayout layout, HttpServletResponse response) {
        statements
                .find(layout.digest())
                .ifPresent(signed -> response.setHeader(BundleStream.STATEMENT_HEADER, signed.text()));
    }

    private void describe(PlanLayout layout, HttpServletResponse response) {
        response.setHeader(BundleStream.PLAN_HEADER, layout.digest().toString());
        if (layout.isPredicted()) {
            response.setHeader(BundleStream.PREDICTED_HEADER, "true");
        }
        ImageModes.Modes asked = modes.of(layout.plan().image());
        asked.start().ifPresent(start -> response.setHeader(BundleStream.START_HEADER, start.label()));
        asked.fill().ifPresent(fill -> response.setHeader(BundleStream.FILL_HEADER, fill.label()));
    }
}

package io.faasimage.registry.functions.start;

import io.faasimage.api.rest.Page;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartSummary;
import io.faasimage.registry.access.web.EnumParameters;
import io.faasimage.registry.platform.problem.ProblemException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/starts}: starts that nodes reported. */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class StartController {
    private static final Duration USUAL_SERIES = Duration.ofDays(1);

    private final Starts starts;
    private final Clock clock;

    StartController(Starts starts, Clock clock) {
        this.starts = starts;
        this.clock = clock;
    }

    /** Lists starts, newest first. */
    @GetMapping("/v1/starts")
    Page<StartSummary> list(
            @RequestParam(required = false) @Nullable String image,
            @RequestParam(required = false) @Nullable String function,
            @RequestParam(required = false) @Nullable String node,
            @RequestParam(name = "class", required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable Boolean cold,
            @RequestParam(required = false) @Nullable String after,
            @RequestParam(defaultValue = "50") int limit) {
        return starts.list(new StartQuery(
                image, function, node, EnumParameters.parse(StartKind.class, "class", kind), cold, after, limit));
    }

    /** One start. */
    @GetMapping("/v1/starts/{id}")
    StartDetail get(@PathVariable String id) {
        return starts.find(id)
                .orElseThrow(() -> ProblemException.notFound(
                        "no start '" + id + "' is known (any more); GET /v1/starts lists the known ones"));
    }

    /** Starts by hour; the last day's when nothing else is requested. */
    @GetMapping("/v1/starts/series")
    List<StartHour> series(
            @RequestParam(required = false) @Nullable String image,
            @RequestParam(required = false) @Nullable String function,
            @RequestParam(required = false) @Nullable String node,
            @RequestParam(required = false) @Nullable Instant from,
            @RequestParam(required = false) @Nullable Instant until) {
        Instant end = until == null ? clock.instant() : until;
        // Before the first moment that there is comes none.
        Instant usual = end.isBefore(Instant.EPOCH) ? end : end.minus(USUAL_SERIES);
        return starts.series(new StartRange(image, function, node, from == null ? usual : from, end))
                .hours();
    }
}

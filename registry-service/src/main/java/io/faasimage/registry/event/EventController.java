package io.faasimage.registry.event;

import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.rest.Page;
import io.faasimage.registry.access.web.EnumParameters;
import io.faasimage.registry.platform.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/events}: the events of jobs and nodes, as a list and as a stream. */
@RestController
class EventController {
    private final EventLog log;
    private final EventStreams streams;

    EventController(EventLog log, EventStreams streams) {
        this.log = log;
        this.streams = streams;
    }

    /** Lists events, newest first. */
    @GetMapping(path = "/v1/events", produces = MediaType.APPLICATION_JSON_VALUE)
    Page<EventInfo> list(
            @RequestParam(required = false) @Nullable String source,
            @RequestParam(required = false) @Nullable String subject,
            @RequestParam(required = false) @Nullable String image,
            @RequestParam(required = false) @Nullable String severity,
            @RequestParam(required = false) @Nullable Long after,
            @RequestParam(defaultValue = "100") int limit) {
        return log.list(query(source, subject, image, severity), after, limit);
    }

    /** Sends events as they come: those after the one that {@code Last-Event-ID} names, else those from now on. */
    @GetMapping(path = "/v1/events/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void stream(
            @RequestParam(required = false) @Nullable String source,
            @RequestParam(required = false) @Nullable String subject,
            @RequestParam(required = false) @Nullable String image,
            @RequestParam(required = false) @Nullable String severity,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String last,
            HttpServletRequest request,
            HttpServletResponse response) {
        @Nullable Long known = last == null || last.isBlank() ? null : number(last);
        streams.follow(query(source, subject, image, severity), known, request, response);
    }

    private static long number(String last) {
        try {
            return Math.max(0, Long.parseLong(last.strip()));
        } catch (NumberFormatException e) {
            throw ProblemException.badRequest("'Last-Event-ID' is the id of an event, a number");
        }
    }

    private static EventQuery query(
            @Nullable String source, @Nullable String subject, @Nullable String image, @Nullable String severity) {
        return new EventQuery(
                EnumParameters.parse(EventInfo.Source.class, "source", source),
                subject,
                image,
                EnumParameters.parse(EventInfo.Severity.class, "severity", severity));
    }
}

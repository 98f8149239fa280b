package io.faasimage.registry.web;

import io.faasimage.api.EventInfo;
import io.faasimage.api.Page;
import io.faasimage.registry.event.EventLog;
import io.faasimage.registry.event.EventQuery;
import io.faasimage.registry.event.EventStreams;
import io.faasimage.registry.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/events}: what happened to jobs and on nodes, as a list and as a stream. */
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
            HttpServletResponse response)
            throws IOException {
        EventQuery query = query(source, subject, image, severity);
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        // To HEAD nothing is sent, so it would never be noticed that the client has gone.
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        long newest = log.newest();
        // One that is not there yet is of another database than this.
        long after = last == null || last.isBlank() ? newest : Math.min(newest, number(last));
        try (EventStreams.Follower _ = streams.enter()) {
            response.setCharacterEncoding("UTF-8");
            response.setHeader("Cache-Control", "no-store");
            response.setHeader("X-Accel-Buffering", "no");
            follow(query, after, response);
        }
    }

    private void follow(EventQuery query, long after, HttpServletResponse response) {
        try {
            streams.follow(query, after, response.getOutputStream());
        } catch (IOException e) {
            // The client has gone: that is how a stream ends.
        }
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

package io.faasimage.registry.event;

import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.rest.Page;
import io.faasimage.registry.access.page.Links;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/events}. */
@PageController
public class EventPages {
    private static final int EVENTS = 100;

    /**
     * The content of the events' page.
     *
     * @param events newest first
     * @param query which ones
     * @param since newest event that the page knows of; followed events come after it
     */
    public record EventsPage(Page<EventInfo> events, EventQuery query, long since) {
        /** The filter as part of an address. */
        public String filter() {
            StringBuilder filter = new StringBuilder();
            add(filter, "source", query.source());
            add(filter, "severity", query.severity());
            add(filter, "subject", query.subject());
            return filter.toString();
        }

        private static void add(StringBuilder filter, String name, @Nullable Object value) {
            if (value != null) {
                filter.append(name)
                        .append('=')
                        .append(Links.encoded(value.toString()))
                        .append('&');
            }
        }
    }

    private final Pages pages;
    private final EventLog events;
    private final EventStreams streams;

    EventPages(@Lazy Pages pages, EventLog events, EventStreams streams) {
        this.pages = pages;
        this.events = events;
        this.streams = streams;
    }

    /** Where events come from, in words. */
    public static String label(EventInfo.Source source) {
        return switch (source) {
            case JOB -> "jobs";
            case NODE -> "nodes";
        };
    }

    /** The severity of an event, in words. */
    public static String label(EventInfo.Severity severity) {
        return switch (severity) {
            case INFO -> "info";
            case FALLBACK -> "fall-back";
            case ERROR -> "error";
        };
    }

    @GetMapping("/ui/events")
    ResponseEntity<byte[]> events(
            HttpServletRequest request,
            @RequestParam(required = false) EventInfo.@Nullable Source source,
            @RequestParam(required = false) EventInfo.@Nullable Severity severity,
            @RequestParam(required = false) @Nullable String subject,
            @RequestParam(required = false) @Nullable Long after) {
        EventQuery query = query(source, severity, subject);
        long newest = events.newest();
        Page<EventInfo> list = events.list(query, after, EVENTS);
        // One may have come between the two questions.
        long since = after != null || list.items().isEmpty()
                ? newest
                : Math.max(newest, list.items().getFirst().id());
        return pages.page(request, "events", "events", new EventsPage(list, query, since));
    }

    private static EventQuery query(
            EventInfo.@Nullable Source source, EventInfo.@Nullable Severity severity, @Nullable String subject) {
        return new EventQuery(source, subject == null || subject.isBlank() ? null : subject.strip(), null, severity);
    }

    /**
     * Events as they come: those after the one that the browser had last, else after {@code since}, else from now on.
     */
    @GetMapping("/ui/events/stream")
    void follow(
            @RequestParam(required = false) EventInfo.@Nullable Source source,
            @RequestParam(required = false) EventInfo.@Nullable Severity severity,
            @RequestParam(required = false) @Nullable String subject,
            @RequestParam(required = false) @Nullable Long since,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable Long last,
            HttpServletRequest request,
            HttpServletResponse response) {
        streams.follow(query(source, severity, subject), last == null ? since : last, request, response);
    }
}

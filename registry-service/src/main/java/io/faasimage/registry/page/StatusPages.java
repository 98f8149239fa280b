package io.faasimage.registry.page;

import io.faasimage.api.node.NodeInfo;
import io.faasimage.api.overview.EventInfo;
import io.faasimage.api.overview.Overview;
import io.faasimage.api.rest.Page;
import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartSummary;
import io.faasimage.registry.event.EventLog;
import io.faasimage.registry.event.EventQuery;
import io.faasimage.registry.event.EventStreams;
import io.faasimage.registry.history.Overviews;
import io.faasimage.registry.node.Nodes;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.start.SeriesQuery;
import io.faasimage.registry.start.StartQuery;
import io.faasimage.registry.start.Starts;
import io.faasimage.registry.view.JobList.NamedJob;
import io.faasimage.registry.view.JobViews;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;

/** What nodes tell: {@code /ui}, {@code /ui/starts}, {@code /ui/nodes} and {@code /ui/events}. */
@Controller
public class StatusPages {
    private static final int NEWEST_STARTS = 10;
    private static final int FAILING_JOBS = 5;
    private static final int EVENTS = 100;
    private static final Duration SHOWN = Duration.ofHours(23);

    /**
     * What the overview shows.
     *
     * @param now in a few numbers
     * @param hours of the last day that had starts
     * @param starts the newest ones
     * @param failing newest jobs of images that cannot be refactored
     * @param until end of the last hour
     */
    public record OverviewPage(
            Overview now, List<StartHour> hours, List<StartSummary> starts, List<NamedJob> failing, Instant until) {
        /** Copies the lists. */
        public OverviewPage {
            hours = List.copyOf(hours);
            starts = List.copyOf(starts);
            failing = List.copyOf(failing);
        }
    }

    /**
     * What the nodes' page shows.
     *
     * @param nodes by name
     */
    public record NodesPage(List<NodeInfo> nodes) {
        /** Copies the list. */
        public NodesPage {
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * What the events' page shows.
     *
     * @param events newest first
     * @param query which ones
     * @param since newest event that the page knows of; what is followed comes after it
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

    /** The heading of a chart. */
    public static String plotTitle(String plot) {
        return switch (plot) {
            case "starts" -> "Starts by class";
            case "saved" -> "Bytes and time saved";
            default -> "Cold start, median by class";
        };
    }

    private final Pages pages;
    private final Overviews overviews;
    private final Starts starts;
    private final Nodes nodes;
    private final EventLog events;
    private final EventStreams streams;
    private final JobViews jobs;
    private final Clock clock;

    StatusPages(
            @Lazy Pages pages,
            Overviews overviews,
            Starts starts,
            Nodes nodes,
            EventLog events,
            EventStreams streams,
            JobViews jobs,
            Clock clock) {
        this.pages = pages;
        this.overviews = overviews;
        this.starts = starts;
        this.nodes = nodes;
        this.events = events;
        this.streams = streams;
        this.jobs = jobs;
        this.clock = clock;
    }

    @GetMapping("/ui")
    ResponseEntity<byte[]> overview(HttpServletRequest request) {
        Instant now = clock.instant();
        SeriesQuery day = new SeriesQuery(null, null, null, now.minus(SHOWN), now);
        OverviewPage page = new OverviewPage(
                overviews.now(),
                starts.series(day),
                starts.list(StartQuery.newest(NEWEST_STARTS)).items(),
                jobs.failing(FAILING_JOBS),
                day.until());
        return pages.page(request, "overview", "overview", page);
    }

    @GetMapping("/ui/starts/{id}")
    ResponseEntity<byte[]> start(HttpServletRequest request, @PathVariable String id) {
        return pages.page(
                request,
                "overview",
                "start",
                starts.find(id)
                        .orElseThrow(() -> ProblemException.notFound(
                                "This start is unknown, or has been forgotten: starts are kept for some days.")));
    }

    @GetMapping("/ui/nodes")
    ResponseEntity<byte[]> nodes(HttpServletRequest request) {
        return pages.page(request, "nodes", "nodes", new NodesPage(nodes.all()));
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

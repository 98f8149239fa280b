package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartHour;
import io.faasimage.api.start.StartSummary;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.access.page.Links;
import io.faasimage.registry.access.page.PageController;
import io.faasimage.registry.access.page.Pages;
import io.faasimage.registry.functions.start.StartQuery;
import io.faasimage.registry.functions.start.StartRange;
import io.faasimage.registry.functions.start.Starts;
import io.faasimage.registry.images.job.JobService;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Lazy;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** {@code /ui/functions}. */
@PageController
@RequestMapping("/ui/functions")
public class FunctionPages {
    private static final String SECTION = "functions";
    private static final int STARTS = 40;

    /** The hours that the charts show. */
    public static final int SPAN_HOURS = 7 * 24;

    /**
     * The content of a function's page.
     *
     * @param detail of the function
     * @param starts its newest ones
     * @param latest the newest cold one, with all that its node reported; null without any
     * @param hours of the last days that had starts
     * @param until end of the last hour
     * @param notice the action just taken; empty when there was none
     * @param refused why it was not done; empty when it was
     */
    public record FunctionPage(
            FunctionDetail detail,
            List<StartSummary> starts,
            @Nullable StartDetail latest,
            List<StartHour> hours,
            Instant until,
            String notice,
            String refused) {
        public FunctionPage {
            starts = List.copyOf(starts);
            hours = List.copyOf(hours);
        }
    }

    /** The action just taken, as it is in the address of the page. */
    public enum Notice {
        registered("Registered. The first start of a container on a node will be traced."),
        refactor("A refactor job is queued."),
        pin("Pinned. Nodes get this plan until you unpin it; newer plans are made meanwhile, but wait."),
        unpin("Unpinned. Nodes get the newest plan."),
        retrace("Trace and plan are forgotten. The next start on a node without a plan of this image is traced.");

        private final String text;

        Notice(String text) {
            this.text = text;
        }
    }

    private final Pages pages;
    private final FunctionViews views;
    private final FunctionService functions;
    private final Pinning pins;
    private final JobService jobs;
    private final Retracing retracing;
    private final Starts starts;
    private final Clock clock;

    FunctionPages(
            @Lazy Pages pages,
            FunctionViews views,
            FunctionService functions,
            Pinning pins,
            JobService jobs,
            Retracing retracing,
            Starts starts,
            Clock clock) {
        this.pages = pages;
        this.views = views;
        this.functions = functions;
        this.pins = pins;
        this.jobs = jobs;
        this.retracing = retracing;
        this.starts = starts;
        this.clock = clock;
    }

    /** The address of a list up to the page's number. */
    public static String address(FunctionList list) {
        return "/ui/functions?" + Links.filter(list.query(), list.state());
    }

    /** The state of an image, in words. */
    public static String label(ImageState state) {
        return switch (state) {
            case UNTRACED -> "not traced";
            case REFACTORING -> "refactoring";
            case PLANNED -> "planned";
            case FAILED -> "failed";
        };
    }

    @GetMapping
    ResponseEntity<byte[]> all(
            HttpServletRequest request,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) @Nullable ImageState state,
            @RequestParam(defaultValue = "1") int page) {
        return pages.page(request, SECTION, "functions", views.list(q, state, page));
    }

    @GetMapping("/{name}")
    ResponseEntity<byte[]> one(
            HttpServletRequest request,
            @PathVariable String name,
            @RequestParam(required = false) @Nullable Notice done) {
        return page(request, 200, name, done == null ? "" : done.text, "");
    }

    private ResponseEntity<byte[]> page(
            HttpServletRequest request, int status, String name, String notice, String refused) {
        FunctionDetail detail = views.get(name);
        List<StartSummary> newest =
                starts.list(StartQuery.ofFunction(name, STARTS)).items();
        @Nullable
        StartDetail latest = newest.stream()
                .filter(StartSummary::cold)
                .findFirst()
                .flatMap(start -> starts.find(start.id()))
                .orElse(null);
        StartRange week = StartRange.newest(name, SPAN_HOURS, clock.instant());
        FunctionPage page =
                new FunctionPage(detail, newest, latest, starts.series(week).hours(), week.until(), notice, refused);
        return pages.page(request, HttpStatusCode.valueOf(status), SECTION, "function", page);
    }

    @PostMapping("/{name}/refactor")
    ResponseEntity<byte[]> refactor(HttpServletRequest request, @PathVariable String name) {
        return act(request, name, Notice.refactor, () -> jobs.refactor(image(name)));
    }

    @PostMapping("/{name}/retrace")
    ResponseEntity<byte[]> retrace(HttpServletRequest request, @PathVariable String name) {
        return act(request, name, Notice.retrace, () -> retracing.forgetTrace(image(name)));
    }

    @PostMapping("/{name}/pin")
    ResponseEntity<byte[]> pin(HttpServletRequest request, @PathVariable String name) {
        return act(request, name, Notice.pin, () -> pins.pin(name));
    }

    @PostMapping("/{name}/unpin")
    ResponseEntity<byte[]> unpin(HttpServletRequest request, @PathVariable String name) {
        return act(request, name, Notice.unpin, () -> pins.unpin(name));
    }

    private Digest image(String name) {
        return Digest.parse(functions.get(name).digest());
    }

    /** Takes the action, and shows the function, with the reason when it is refused. */
    private ResponseEntity<byte[]> act(HttpServletRequest request, String name, Notice notice, Runnable action) {
        try {
            action.run();
        } catch (ProblemException e) {
            if (e.kind() == ProblemKind.NOT_FOUND) {
                throw e;
            }
            return page(request, e.kind().status(), name, "", String.valueOf(e.getMessage()));
        }
        return ResponseEntity.status(303)
                .location(URI.create("/ui/functions/" + name + "?done=" + notice.name()))
                .build();
    }

    /** Asks for confirmation before something is lost. */
    @GetMapping("/{name}/{change:delete|retrace}")
    ResponseEntity<byte[]> confirm(HttpServletRequest request, @PathVariable String name, @PathVariable String change) {
        FunctionInfo function = functions.get(name);
        return pages.page(request, SECTION, change, function);
    }

    @PostMapping("/{name}/delete")
    ResponseEntity<Void> delete(@PathVariable String name, @RequestParam(defaultValue = "false") boolean purge) {
        functions.delete(name, purge);
        return ResponseEntity.status(303).location(URI.create("/ui/functions")).build();
    }
}

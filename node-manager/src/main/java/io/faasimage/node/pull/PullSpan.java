package io.faasimage.node.pull;

import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import io.faasimage.node.span.StartSpans;
import java.time.Instant;
import java.util.Optional;

/** The span of one pull for a start, with one below it for each segment of which something came. For one thread. */
final class PullSpan implements AutoCloseable {
    private final Spans spans;
    private final Span span;

    private PullSpan(Spans spans, Span span) {
        this.spans = spans;
        this.span = span;
    }

    /** Of a pull that begins now; takes no notice of one that no start waits for. */
    static PullSpan begin(StartSpans starts, PullRun run) {
        Optional<TraceParent> start = starts.of(run.plan());
        Span span =
                start.isPresent() ? starts.spans().begin("pull " + run.part().label(), start) : Span.NONE;
        return new PullSpan(starts.spans(), span);
    }

    Optional<TraceParent> context() {
        return span.context();
    }

    /** What came. */
    void ended(PullReport report) {
        if (context().isEmpty()) {
            return;
        }
        span.set("faasimage.plan", report.plan().toString())
                .set("faasimage.objects", report.objects())
                .set("faasimage.objects.held", report.held())
                .set("faasimage.bytes", report.wireBytes())
                .set("faasimage.requests", report.requests());
        if (!report.complete()) {
            span.failed(report.missing() + " objects are missing: " + String.join("; ", report.failures()));
        }
        // The wall clock may have been set meanwhile; what counts is the time within the pull.
        Instant begin = Instant.now().minus(report.took());
        report.segments().stream()
                .filter(segment -> segment.objects() > 0)
                .forEach(segment -> spans.begin(
                                "segment " + segment.segment().label(),
                                Spans.Kind.INTERNAL,
                                context(),
                                begin.plus(segment.first()))
                        .set("faasimage.objects", segment.objects())
                        .set("faasimage.bytes", segment.storedBytes())
                        .end(begin.plus(segment.took())));
    }

    @Override
    public void close() {
        span.close();
    }
}

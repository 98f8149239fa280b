package io.faasimage.node.record;

import io.faasimage.api.DemandFetch;
import io.faasimage.api.StartKind;
import io.faasimage.api.StartPhases;
import io.faasimage.api.StartRecord;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.node.span.StartSpans;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells the spans of a start when its record is made, with the record's own times: no start waits for them. Stateless.
 */
final class RecordSpans {
    private RecordSpans() {}

    /** Tells of {@code start}, which ended with {@code record}. */
    static void tell(StartSpans spans, OpenStart start, StartRecord record) {
        if (start.spans().context().isEmpty()) {
            return;
        }
        StartPhases phases = record.phases();
        long asked = Math.max(0, (start.asked() - start.begin()) / 1000);
        Long mounted = phases.mounted();
        Long created = phases.created();
        Long process = phases.firstProcess();
        step(spans.spans(), start, "mount", asked, mounted);
        step(spans.spans(), start, "prepare", mounted == null ? asked : mounted, phases.mayStart());
        step(spans.spans(), start, "create container", phases.mayStart(), created);
        step(spans.spans(), start, "first process", created == null ? phases.mayStart() : created, process);
        step(spans.spans(), start, "ready", process == null ? phases.mayStart() : process, phases.ready());
        describe(start.spans().span(), start, record);
        long failed = start.failedAt().stream()
                .map(nanos -> (nanos - start.begin()) / 1000)
                .findFirst()
                .orElse(0);
        spans.ended(start.spans(), at(start, Math.max(failed, last(record, asked))));
    }

    private static void step(Spans spans, OpenStart start, String name, @Nullable Long from, @Nullable Long to) {
        if (from != null && to != null) {
            spans.begin(name, Spans.Kind.INTERNAL, start.spans().context(), at(start, from))
                    .end(at(start, Math.max(from, to)));
        }
    }

    private static Instant at(OpenStart start, long micros) {
        return start.at().plus(micros, ChronoUnit.MICROS);
    }

    private static void describe(Span span, OpenStart start, StartRecord record) {
        span.set("faasimage.start", record.id())
                .set("faasimage.class", record.kind().name().toLowerCase(Locale.ROOT))
                .set("faasimage.cold", Boolean.toString(record.cold()))
                .set("faasimage.container", start.container().key())
                .set("faasimage.on_demand", record.demanded());
        set(span, "faasimage.reason", record.reason());
        set(span, "faasimage.image", record.image());
        set(span, "faasimage.plan", record.plan());
        Long bytes = record.bytes();
        if (bytes != null) {
            span.set("faasimage.bytes", bytes);
        }
        if (record.kind() == StartKind.REFUSED) {
            span.failed(String.valueOf(record.reason()));
        }
    }

    private static void set(Span span, String name, @Nullable String value) {
        if (value != null) {
            span.set(name, value);
        }
    }

    /** Microseconds until the last that is known of the start. */
    private static long last(StartRecord record, long asked) {
        StartPhases phases = record.phases();
        long last = Stream.of(
                        phases.planned(),
                        phases.mounted(),
                        phases.mayStart(),
                        phases.created(),
                        phases.firstProcess(),
                        phases.ready(),
                        phases.lastObject())
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .max()
                .orElse(asked);
        return record.demands().stream().mapToLong(RecordSpans::end).reduce(last, Math::max);
    }

    private static long end(DemandFetch demand) {
        return demand.at() + demand.waited();
    }
}

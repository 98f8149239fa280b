package io.faasimage.node.record;

import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.node.record.ObservedStart.Step;
import io.faasimage.node.span.StartSpans;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a start, exported when its record is made and with the record's own times: no start waits for them.
 * Stateless.
 */
final class RecordSpans {
    private RecordSpans() {}

    /** Exports the spans of {@code start}, which ended with {@code record}. */
    static void export(StartSpans spans, ObservedStart start, StartRecord record) {
        if (start.begin().spans().context().isEmpty()) {
            return;
        }
        StartPhases phases = record.phases();
        long asked = Math.max(0, (start.begin().requested() - start.begin().nanos()) / 1000);
        Long mounted = phases.mounted();
        step(spans.spans(), start, "mount", asked, mounted);
        step(spans.spans(), start, "prepare", mounted == null ? asked : mounted, phases.mayStart());
        step(spans.spans(), start, "create container", phases.mayStart(), phases.created());
        step(spans.spans(), start, "first process", phases.beginOfFirstProcess(), phases.firstProcess());
        step(spans.spans(), start, "ready", phases.beginOfReady(), phases.ready());
        describe(start.begin().spans().span(), start, record);
        long failed = start.time(Step.FAILED).stream()
                .map(nanos -> (nanos - start.begin().nanos()) / 1000)
                .findFirst()
                .orElse(0);
        spans.ended(start.begin().spans(), at(start, Math.max(failed, Math.max(asked, record.lastMicros()))));
    }

    private static void step(Spans spans, ObservedStart start, String name, @Nullable Long from, @Nullable Long to) {
        if (from != null && to != null) {
            spans.begin(name, Spans.Kind.INTERNAL, start.begin().spans().context(), at(start, from))
                    .end(at(start, Math.max(from, to)));
        }
    }

    private static Instant at(ObservedStart start, long micros) {
        return start.begin().at().plus(micros, ChronoUnit.MICROS);
    }

    private static void describe(Span span, ObservedStart start, StartRecord record) {
        span.set("faasimage.start", record.id())
                .set("faasimage.class", record.kind().name().toLowerCase(Locale.ROOT))
                .set("faasimage.cold", Boolean.toString(record.cold()))
                .set("faasimage.container", start.begin().container().key())
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
}

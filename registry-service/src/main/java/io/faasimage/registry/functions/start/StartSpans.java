package io.faasimage.registry.functions.start;

import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.start.DemandFetch;
import io.faasimage.api.start.StartDetail;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.api.start.StartSummary;
import io.faasimage.registry.platform.span.FinishedSpan;
import io.faasimage.registry.platform.span.Spans;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans of one start, made from its record: one of the whole start and, within it, one of each phase that was
 * measured. For one thread.
 */
final class StartSpans {
    private final Instant begin;
    private final List<FinishedSpan> steps = new ArrayList<>();

    private StartSpans(Instant begin) {
        this.begin = begin;
    }

    /** Exports the spans of a start that has a trace. */
    static void export(StartDetail start, Spans spans) {
        String traceId = start.summary().traceId();
        if (traceId != null) {
            spans.export(traceId, of(start));
        }
    }

    /** The spans of {@code start}. */
    static FinishedSpan of(StartDetail start) {
        StartRecord record = start.record();
        StartPhases phases = record.phases();
        StartSpans spans = new StartSpans(record.startedAt());
        if (record.plan() == null && record.cold()) {
            spans.step("unpack", 0L, phases.requested());
        }
        spans.step("plan", phases.asked(), phases.planned());
        spans.step("mount", phases.requested(), phases.mounted());
        spans.step("prepare", phases.beginOfMayStart(), phases.mayStart());
        spans.step("create container", phases.mayStart(), phases.created());
        spans.step("first process", phases.beginOfFirstProcess(), phases.firstProcess());
        spans.step("ready", phases.beginOfReady(), phases.ready());
        spans.pull(record.segments());
        record.demands().forEach(spans::demand);
        return new FinishedSpan(
                "start",
                record.startedAt(),
                spans.at(record.lastMicros()),
                attributes(start.summary(), record),
                record.kind() == StartKind.REFUSED ? String.valueOf(record.reason()) : null,
                spans.steps);
    }

    private void step(String name, @Nullable Long from, @Nullable Long to) {
        if (from != null && to != null) {
            steps.add(new FinishedSpan(name, at(from), at(to)));
        }
    }

    private void pull(List<SegmentPull> segments) {
        List<FinishedSpan> pulled = new ArrayList<>();
        for (SegmentPull segment : segments) {
            Long from = segment.begin();
            Long to = segment.end();
            if (from != null && to != null) {
                Map<String, Object> attributes =
                        Map.of("faasimage.objects", segment.objects(), "faasimage.bytes", segment.bytes());
                pulled.add(new FinishedSpan(
                        "segment " + segment.segment(), at(from), at(to), attributes, null, List.of()));
            }
        }
        if (!pulled.isEmpty()) {
            Comparator<Instant> time = Comparator.naturalOrder();
            Instant first = pulled.stream().map(FinishedSpan::begin).min(time).orElse(begin);
            Instant last = pulled.stream().map(FinishedSpan::end).max(time).orElse(begin);
            steps.add(new FinishedSpan("pull", first, last, Map.of(), null, pulled));
        }
    }

    private void demand(DemandFetch demand) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("faasimage.object", demand.object());
        put(attributes, "faasimage.path", demand.path());
        attributes.put("faasimage.foreseen", Boolean.toString(demand.foreseen()));
        steps.add(new FinishedSpan(
                "object on demand", at(demand.at()), at(demand.at() + demand.waited()), attributes, null, List.of()));
    }

    private Instant at(long micros) {
        return begin.plus(micros, ChronoUnit.MICROS);
    }

    private static Map<String, Object> attributes(StartSummary summary, StartRecord record) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("faasimage.start", record.id());
        attributes.put("faasimage.node", summary.node());
        attributes.put("faasimage.class", record.kind().name().toLowerCase(Locale.ROOT));
        attributes.put("faasimage.cold", Boolean.toString(record.cold()));
        attributes.put("faasimage.on_demand", (long) record.demanded());
        put(attributes, "faasimage.reason", record.reason());
        put(attributes, "faasimage.function", summary.function());
        put(attributes, "faasimage.image", summary.image());
        put(attributes, "faasimage.reference", summary.reference());
        put(attributes, "faasimage.plan", record.plan());
        put(attributes, "faasimage.bytes", record.bytes());
        return attributes;
    }

    private static void put(Map<String, Object> attributes, String name, @Nullable Object value) {
        if (value != null) {
            attributes.put(name, value);
        }
    }
}

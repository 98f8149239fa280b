package io.faasimage.node.agent.metrics;

import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The metrics of starts that are over. */
public final class StartMetrics extends Meters {
    private static final double MICROS = 1_000_000;

    private final Counter starts = counter(
            "starts", "starts that are over, by class and whether something had to be brought", "class", "cold");
    private final Counter demands = counter("start_demands", "objects that starts had to wait for when they read them");
    private final Histogram startSeconds =
            seconds("start_seconds", "from a start's begin until all that it needed was there", DURATIONS, "cold");
    private final Histogram phaseSeconds =
            seconds("start_phase_seconds", "from a cold start's begin to the end of the phase", DURATIONS, "phase");

    /** No start yet. */
    public StartMetrics() {
        // A series that begins with its first event would hide that event from Prometheus.
        for (String cold : List.of("true", "false")) {
            for (StartKind kind : StartKind.values()) {
                starts.initLabelValues(label(kind), cold);
            }
            startSeconds.initLabelValues(cold);
        }
        phaseSeconds.initLabelValues("may_start");
    }

    /** A start is over. Only measured values count. */
    public void started(StartRecord start) {
        starts.labelValues(label(start.kind()), Boolean.toString(start.cold())).inc();
        demands.inc(start.demanded());
        @Nullable Long total = start.totalMicros();
        if (total != null) {
            startSeconds.labelValues(Boolean.toString(start.cold())).observe(total / MICROS);
        }
        if (start.cold()) {
            StartPhases phases = start.phases();
            phase("asked", phases.asked());
            phase("first_byte", phases.firstByte());
            phase("planned", phases.planned());
            phase("mounted", phases.mounted());
            phase("may_start", phases.mayStart());
            phase("first_process", phases.firstProcess());
            phase("ready", phases.ready());
            phase("last_object", phases.lastObject());
        }
    }

    private void phase(String name, @Nullable Long micros) {
        if (micros != null) {
            phaseSeconds.labelValues(name).observe(micros / MICROS);
        }
    }

    private static String label(Enum<?> kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}

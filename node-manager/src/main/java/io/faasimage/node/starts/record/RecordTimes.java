package io.faasimage.node.starts.record;

import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.start.StartPhases;
import io.faasimage.node.link.start.StartEvent.PlanArrived;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.starts.record.ObservedStart.Step;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The times of a start as its record has them: microseconds from its begin. Stateless. */
final class RecordTimes {
    private RecordTimes() {}

    /** When its steps ended. */
    static StartPhases phases(ObservedStart start, Optional<PullReport> pull) {
        Optional<PlanArrived> arrival = start.begin().arrival();
        OptionalLong last = pull.filter(PullReport::complete).stream()
                .flatMap(p -> p.segments().stream()
                        .filter(segment -> segment.objects() > 0)
                        .map(segment -> p.beginNanos() + segment.took().toNanos()))
                .mapToLong(Long::longValue)
                .max();
        // containerd reports the first process when it has begun; a trace may have seen more by then.
        OptionalLong process = earlier(start.time(Step.FIRST_PROCESS), start.time(Step.READY));
        return new StartPhases(
                micros(start, arrival.map(PlanArrived::requested)),
                micros(start, arrival.map(PlanArrived::firstByte)),
                micros(start, arrival.map(PlanArrived::present)),
                micros(start, OptionalLong.of(start.begin().requested())),
                micros(start, start.time(Step.MOUNTED)),
                micros(start, start.time(Step.MAY_START)),
                micros(start, earlier(start.time(Step.CREATED), process)),
                micros(start, process),
                micros(start, start.time(Step.READY)),
                micros(start, last),
                micros(start, start.time(Step.FAILED)));
    }

    private static OptionalLong earlier(OptionalLong time, OptionalLong limit) {
        return time.isPresent() && limit.isPresent() && time.getAsLong() > limit.getAsLong() ? limit : time;
    }

    /** When the segments of its prefetch list came. */
    static List<SegmentPull> segments(ObservedStart start, PullReport pull) {
        long offset = pull.beginNanos() - start.begin().nanos();
        return pull.segments().stream()
                .map(segment -> new SegmentPull(
                        segment.segment().label(),
                        segment.objects(),
                        segment.storedBytes(),
                        segment.objects() == 0
                                ? null
                                : micros(offset + segment.first().toNanos()),
                        segment.objects() == 0
                                ? null
                                : micros(offset + segment.took().toNanos())))
                .toList();
    }

    private static @Nullable Long micros(ObservedStart start, Optional<Long> nanos) {
        return nanos.map(n -> micros(n - start.begin().nanos())).orElse(null);
    }

    private static @Nullable Long micros(ObservedStart start, OptionalLong nanos) {
        return nanos.isPresent() ? micros(nanos.getAsLong() - start.begin().nanos()) : null;
    }

    static long micros(long nanos) {
        return Math.max(0, nanos / 1000);
    }
}

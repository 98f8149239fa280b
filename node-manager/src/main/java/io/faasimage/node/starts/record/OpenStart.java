package io.faasimage.node.starts.record;

import io.faasimage.node.starts.record.ObservedStart.Begin;
import io.faasimage.node.starts.record.ObservedStart.Step;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A start under way, with the observations so far. Guarded by the recorder's lock. */
final class OpenStart {
    private final Begin begin;
    private final Map<Step, Long> times = new EnumMap<>(Step.class);
    private Optional<String> failure = Optional.empty();
    private boolean traced;

    OpenStart(Begin begin) {
        this.begin = begin;
    }

    Begin begin() {
        return begin;
    }

    /** The observations so far. */
    ObservedStart observed() {
        return new ObservedStart(begin, times, failure);
    }

    boolean has(Step step) {
        return times.containsKey(step);
    }

    OptionalLong time(Step step) {
        Long nanos = times.get(step);
        return nanos == null ? OptionalLong.empty() : OptionalLong.of(nanos);
    }

    /** A step that is seen twice happened when it was seen first. */
    void reached(Step step, long nanos) {
        times.putIfAbsent(step, nanos);
    }

    void failed(String reason, long nanos) {
        failure = Optional.of(reason);
        reached(Step.FAILED, nanos);
    }

    void traceBegun() {
        traced = true;
    }

    /** The times of a trace are more exact than other observations. */
    void traceEnded(OptionalLong process, OptionalLong answer) {
        traced = false;
        answer.ifPresent(nanos -> times.put(Step.READY, nanos));
        process.ifPresent(nanos -> times.put(Step.FIRST_PROCESS, nanos));
    }

    /** Whether its trace continues. */
    boolean isTraced() {
        return traced;
    }
}

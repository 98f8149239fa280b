package io.faasimage.registry.start;

import io.faasimage.api.start.StartSummary;
import org.jspecify.annotations.Nullable;

/** The sums of starts by hour, as they are counted. Not thread-safe. */
final class HourCounts {
    private long starts;
    private long cold;
    private long bytes;
    private long savedBytes;
    private long savedMicros;
    private long compared;
    private final StartTimes times;

    HourCounts() {
        this.times = new StartTimes();
    }

    HourCounts(long starts, long cold, long bytes, long savedBytes, long savedMicros, long compared, StartTimes times) {
        this.starts = starts;
        this.cold = cold;
        this.bytes = bytes;
        this.savedBytes = savedBytes;
        this.savedMicros = savedMicros;
        this.compared = compared;
        this.times = times;
    }

    void add(StartSummary start) {
        starts++;
        bytes += orZero(start.bytes());
        savedBytes += orZero(start.savedBytes());
        savedMicros += orZero(start.savedMicros());
        compared += start.savedMicros() == null ? 0 : 1;
        if (start.cold()) {
            cold++;
            Long micros = start.micros();
            if (micros != null) {
                times.add(micros);
            }
        }
    }

    void add(HourCounts other) {
        starts += other.starts;
        cold += other.cold;
        bytes += other.bytes;
        savedBytes += other.savedBytes;
        savedMicros += other.savedMicros;
        compared += other.compared;
        times.add(other.times);
    }

    private static long orZero(@Nullable Long value) {
        return value == null ? 0 : value;
    }

    long starts() {
        return starts;
    }

    long cold() {
        return cold;
    }

    long bytes() {
        return bytes;
    }

    long savedBytes() {
        return savedBytes;
    }

    long savedMicros() {
        return savedMicros;
    }

    /** Starts that {@link #savedMicros} is about. */
    long compared() {
        return compared;
    }

    StartTimes times() {
        return times;
    }
}

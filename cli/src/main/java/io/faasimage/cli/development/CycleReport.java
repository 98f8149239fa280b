package io.faasimage.cli.development;

import io.faasimage.cli.terminal.Output;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The account of one cycle, from a change to the first answer.
 *
 * @param cycle from 1
 * @param digest of the image's manifest; null when it was not built
 * @param steps seconds that each took, in order
 * @param seconds from the change to the answer, or to the failure
 * @param uploadedBytes of the code's archive
 * @param movedBytes that the node fetched; null where the platform pulls
 * @param way how the image was pulled: {@code planned}, {@code ordinary} or {@code present}; null where the platform
 *     pulls
 * @param address where it answers; null when it does not
 * @param error why it does not answer; null when it does
 */
record CycleReport(
        int cycle,
        @Nullable String digest,
        Map<String, Double> steps,
        double seconds,
        long uploadedBytes,
        @Nullable Long movedBytes,
        @Nullable String way,
        @Nullable String address,
        @Nullable String error) {
    /** Copies the steps. */
    CycleReport {
        steps = new LinkedHashMap<>(steps);
    }

    /** The account in one line. */
    String line() {
        String times = steps.entrySet().stream()
                .map(step -> step.getKey() + " " + seconds(step.getValue()))
                .collect(Collectors.joining(", "));
        String moved = movedBytes == null ? "" : ", " + Output.bytes(movedBytes) + " moved";
        return error == null
                ? "answers after " + seconds(seconds) + " s at " + address + " (" + times + moved + ")"
                : "failed after " + seconds(seconds) + " s (" + times + ")";
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.2f", seconds);
    }
}

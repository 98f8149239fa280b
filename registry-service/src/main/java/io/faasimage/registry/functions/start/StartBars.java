package io.faasimage.registry.functions.start;

import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartSummary;
import io.faasimage.registry.access.page.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Starts as bars, oldest at the left: the higher, the longer it took until the function was ready, or else until its
 * program started.
 *
 * @param bars from left to right
 * @param slots how many have room
 * @param text the same in words
 */
public record StartBars(List<Bar> bars, int slots, String text) {
    /** Height of the picture. */
    public static final int HEIGHT = 40;

    /** Width of a bar with its gap. */
    public static final int STEP = 8;

    private static final int LOWEST = 4;

    /**
     * One start.
     *
     * @param id of the start
     * @param kind how it went, as its colour is named
     * @param x where it is
     * @param y where it begins
     * @param height of it
     * @param text the same in words
     */
    public record Bar(String id, String kind, int x, int y, int height, String text) {}

    public StartBars {
        bars = List.copyOf(bars);
    }

    /** Width of the picture. */
    public int width() {
        return slots * STEP;
    }

    /** Bars of starts, oldest first. */
    public static StartBars ofMarks(List<StartMark> marks, int slots) {
        List<StartMark> shown = marks.subList(Math.max(0, marks.size() - slots), marks.size());
        long longest = shown.stream()
                .mapToLong(mark -> mark.micros() == null ? 0 : mark.micros())
                .max()
                .orElse(0);
        List<Bar> bars = new ArrayList<>();
        for (StartMark mark : shown) {
            Long micros = mark.micros();
            int height = micros == null || longest == 0
                    ? LOWEST
                    : (int) Math.max(LOWEST, Math.round((double) HEIGHT * micros / longest));
            bars.add(new Bar(
                    mark.id(),
                    kind(mark.kind()),
                    (slots - shown.size() + bars.size()) * STEP,
                    HEIGHT - height,
                    height,
                    (mark.cold() ? "" : "warm, ") + kind(mark.kind()) + ", "
                            + (micros == null ? "time not known" : Figures.millis(micros / 1000.0)) + ", "
                            + Figures.time(mark.at())));
        }
        String words = "The last " + Figures.count(shown.size(), "start", "starts")
                + (longest == 0 ? "" : ", the longest took " + Figures.millis(longest / 1000.0));
        return new StartBars(bars, slots, words);
    }

    /** Bars of starts, newest first. */
    public static StartBars of(List<StartSummary> starts, int slots) {
        return ofMarks(
                starts.reversed().stream()
                        .map(start -> new StartMark(
                                start.id(), start.startedAt(), start.kind(), start.cold(), start.tookMicros()))
                        .toList(),
                slots);
    }

    /** The name of a class of starts. */
    public static String kind(StartKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}

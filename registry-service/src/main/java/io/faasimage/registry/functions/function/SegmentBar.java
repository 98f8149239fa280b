package io.faasimage.registry.functions.function;

import io.faasimage.api.image.ImageInfo.SegmentInfo;
import io.faasimage.registry.access.page.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The segments of an image one after the other, each with the share that a start needs; 1000 units are the bar's full
 * length.
 *
 * @param parts in order
 * @param text the same in words
 */
public record SegmentBar(List<Part> parts, String text) {
    private static final double LENGTH = 1000;

    /**
     * One segment.
     *
     * @param segment its name
     * @param x where it begins
     * @param width of it
     * @param startup width of the part that a start needs
     * @param text the same in words
     */
    public record Part(String segment, String x, String width, String startup, String text) {}

    public SegmentBar {
        parts = List.copyOf(parts);
    }

    /** The bar of segments, in compressed bytes, where {@code full} bytes are its full length. */
    public static SegmentBar of(List<SegmentInfo> segments, long full) {
        List<Part> parts = new ArrayList<>();
        StringBuilder text = new StringBuilder("Compressed size by segment:");
        double scale = LENGTH / Math.max(1, full);
        double x = 0;
        for (SegmentInfo segment : segments) {
            double width = segment.stored() * scale;
            String words = segment.segment() + " " + Figures.bytes((double) segment.stored()) + ", a start needs "
                    + Figures.bytes((double) segment.startupStored());
            parts.add(new Part(
                    segment.segment(), number(x), number(width), number(segment.startupStored() * scale), words));
            text.append(parts.size() > 1 ? "; " : " ").append(words);
            x += width;
        }
        return new SegmentBar(parts, text.toString());
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}

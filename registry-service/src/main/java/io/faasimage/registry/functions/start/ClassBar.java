package io.faasimage.registry.functions.start;

import io.faasimage.registry.access.page.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Starts by class one after the other; 1000 units are all of them.
 *
 * @param parts in order
 * @param total of all classes
 * @param text the same in words
 */
public record ClassBar(List<Part> parts, long total, String text) {
    /**
     * One class.
     *
     * @param kind its name
     * @param x where it begins
     * @param width of it
     * @param text the same in words
     */
    public record Part(String kind, String x, String width, String text) {}

    public ClassBar {
        parts = List.copyOf(parts);
    }

    /** The bar of the numbers of starts by class. */
    public static ClassBar of(Map<String, Long> starts) {
        long total = starts.values().stream().mapToLong(Long::longValue).sum();
        List<Part> parts = new ArrayList<>();
        double x = 0;
        for (String kind : List.of("lazy", "misses", "full", "refused")) {
            long number = starts.getOrDefault(kind, 0L);
            if (number > 0) {
                double width = 1000.0 * number / total;
                parts.add(new Part(
                        kind,
                        String.format(Locale.ROOT, "%.1f", x),
                        String.format(Locale.ROOT, "%.1f", width),
                        Figures.count(number) + " " + (kind.equals("misses") ? "with misses" : kind)));
                x += width;
            }
        }
        return new ClassBar(
                parts, total, String.join(", ", parts.stream().map(Part::text).toList()));
    }
}

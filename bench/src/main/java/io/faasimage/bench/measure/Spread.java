package io.faasimage.bench.measure;

import java.util.List;

/**
 * Some measured values in short.
 *
 * @param median the middle value, or the mean of the two in the middle
 * @param min least
 * @param max greatest
 */
public record Spread(double median, double min, double max) {
    /**
     * The spread of {@code values}.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static Spread of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("there is no spread of no values");
        }
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        double median = sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
        return new Spread(median, sorted.getFirst(), sorted.getLast());
    }
}

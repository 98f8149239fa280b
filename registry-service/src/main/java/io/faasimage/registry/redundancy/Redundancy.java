package io.faasimage.registry.redundancy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The share of each function's content that each other function has, byte for byte: {@code GET /v1/views/redundancy}.
 *
 * @param query what names or images contain; empty for all
 * @param segment of the row's content that is looked for; null for all of it
 * @param functions those of the largest images, one per image
 * @param bytes content of their segment, uncompressed
 * @param share by row and column, 0 to 1, of the bytes
 * @param mean of all pairs; 0 with less than two functions
 * @param fitting how many images fit the query, these included
 * @param unreadable functions that are left out because their plan is damaged
 */
public record Redundancy(
        String query,
        @Nullable String segment,
        List<String> functions,
        List<Long> bytes,
        List<List<Double>> share,
        double mean,
        long fitting,
        List<String> unreadable) {
    /** Copies the lists. */
    public Redundancy {
        functions = List.copyOf(functions);
        bytes = List.copyOf(bytes);
        share = share.stream().map(List::copyOf).toList();
        unreadable = List.copyOf(unreadable);
    }
}

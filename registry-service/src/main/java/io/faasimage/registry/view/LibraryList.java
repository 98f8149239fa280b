package io.faasimage.registry.view;

import java.util.List;

/**
 * A page of libraries: {@code GET /v1/views/libraries}.
 *
 * @param libraries most used first
 * @param query what their name contains; empty for all
 * @param redundancy how much of their libraries functions have in common
 */
public record LibraryList(Slice<Library> libraries, String query, Redundancy redundancy) {
    /**
     * A library that planned functions have.
     *
     * @param ecosystem package manager
     * @param name as it names it
     * @param version as it names it
     * @param bytes content of its objects, in the function that has most of it
     * @param functions how many functions have it
     * @param share of all planned functions, 0 to 1
     */
    public record Library(String ecosystem, String name, String version, long bytes, long functions, double share) {}

    /**
     * How much of the row's library content is in the column's function as well, in the same version.
     *
     * @param functions those with the most library content, one per image
     * @param share by row and column, 0 to 1
     * @param mean of all pairs; 0 with less than two functions
     */
    public record Redundancy(List<String> functions, List<List<Double>> share, double mean) {
        /** Copies the lists. */
        public Redundancy {
            functions = List.copyOf(functions);
            share = share.stream().map(List::copyOf).toList();
        }
    }
}

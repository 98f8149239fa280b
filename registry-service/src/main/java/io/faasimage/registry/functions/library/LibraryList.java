package io.faasimage.registry.functions.library;

import io.faasimage.registry.platform.list.Slice;

/**
 * A page of libraries: {@code GET /v1/views/libraries}.
 *
 * @param libraries most used first
 * @param query text in their name; empty for all
 */
public record LibraryList(Slice<Library> libraries, String query) {
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
}

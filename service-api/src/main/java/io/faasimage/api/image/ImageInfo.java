package io.faasimage.api.image;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An image and the sizes of its plan, in bytes.
 *
 * @param digest manifest digest
 * @param name reference of its first registration
 * @param state how far it is
 * @param compressedSize sum of its layers as pulled
 * @param chains chain IDs, bottom first
 * @param functions names of the functions that use it
 * @param plan digest of the current plan; null without one
 * @param planVersion which of the image's plans that is, counted from 1; 0 without one
 * @param predicted whether that is predicted, and no start of the image traced yet
 * @param traceRuns starts merged in its trace; 0 without one
 * @param tracedFiles files in its trace
 * @param segments by segment; empty without a plan
 * @param libraries third-party libraries; empty without a plan
 * @param error of the last failed job
 * @param created time of registration
 */
public record ImageInfo(
        String digest,
        String name,
        ImageState state,
        long compressedSize,
        List<String> chains,
        List<String> functions,
        @Nullable String plan,
        int planVersion,
        boolean predicted,
        int traceRuns,
        int tracedFiles,
        List<SegmentInfo> segments,
        List<LibraryInfo> libraries,
        @Nullable String error,
        Instant created) {
    public ImageInfo {
        chains = List.copyOf(chains);
        functions = List.copyOf(functions);
        segments = List.copyOf(segments);
        libraries = List.copyOf(libraries);
    }

    /**
     * One segment of an image: its prefetch list, and the whole.
     *
     * @param segment {@code base}, {@code lib} or {@code func}
     * @param startupObjects objects in the prefetch list
     * @param startupBytes their content
     * @param startupStored their content compressed, as it is moved
     * @param objects all objects
     * @param bytes their content
     * @param stored their content compressed
     */
    public record SegmentInfo(
            String segment,
            long startupObjects,
            long startupBytes,
            long startupStored,
            long objects,
            long bytes,
            long stored) {}

    /**
     * A library and its size.
     *
     * @param ecosystem package manager
     * @param name as it names it
     * @param version as it names it
     * @param objects number of objects
     * @param bytes their content
     */
    public record LibraryInfo(String ecosystem, String name, String version, long objects, long bytes) {}
}

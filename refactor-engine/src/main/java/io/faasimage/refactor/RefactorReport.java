package io.faasimage.refactor;

import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Segment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Figures of one refactoring.
 *
 * @param segments by segment, all three
 * @param libraries with at least one object, in the plan's order
 * @param files paths of regular files in the whole image, empty ones and further hard links included
 * @param entries paths of all kinds in the whole image
 * @param tracedFiles paths of the trace that are files with content in the image
 * @param missingFiles paths of the trace that are not (made at run time, or empty)
 * @param compressedImageBytes sum of the layer blobs
 * @param rawImageBytes sum of the distinct objects
 * @param newObjects objects that were packed
 * @param newRawBytes their content
 * @param newStoredBytes their zstd frames
 * @param phases time of each step
 * @param warnings about entries that were not understood, and their treatment
 * @param runtime name of the image's language runtime, such as {@code python3.12}
 */
public record RefactorReport(
        Map<Segment, SegmentFigures> segments,
        List<LibraryFigures> libraries,
        int files,
        int entries,
        int tracedFiles,
        int missingFiles,
        long compressedImageBytes,
        long rawImageBytes,
        int newObjects,
        long newRawBytes,
        long newStoredBytes,
        Map<ProgressListener.Phase, Duration> phases,
        List<String> warnings,
        Optional<String> runtime) {
    public RefactorReport {
        segments = Map.copyOf(segments);
        libraries = List.copyOf(libraries);
        phases = Map.copyOf(phases);
        warnings = List.copyOf(warnings);
    }

    /**
     * One segment.
     *
     * @param startupObjects objects of the prefetch list
     * @param startupBytes their content
     * @param objects all objects
     * @param bytes their content
     */
    public record SegmentFigures(int startupObjects, long startupBytes, int objects, long bytes) {}

    /**
     * One library.
     *
     * @param library name and version
     * @param startupBytes content of its objects in the prefetch list
     * @param objects all its objects
     * @param bytes their content
     */
    public record LibraryFigures(Library library, long startupBytes, int objects, long bytes) {}
}

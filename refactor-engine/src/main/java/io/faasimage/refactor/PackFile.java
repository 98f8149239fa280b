package io.faasimage.refactor;

import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Segment;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A pack that was written, complete and synced to disk.
 *
 * @param file in the output directory; its name comes from its content
 * @param segment of its objects
 * @param library exactly for the lib segment
 * @param objects how many
 * @param rawBytes of their content
 * @param storedBytes size of the file
 */
public record PackFile(
        Path file, Segment segment, Optional<Library> library, int objects, long rawBytes, long storedBytes) {}

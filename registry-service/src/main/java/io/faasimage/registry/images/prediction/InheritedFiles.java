package io.faasimage.registry.images.prediction;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The evidence that an earlier image of the same function or repository leaves to a prediction.
 *
 * @param image the earlier one
 * @param trace of its starts
 * @param metadata its files
 */
public record InheritedFiles(Digest image, Trace trace, MetadataFile metadata) {
    /** The metadata image of a whole image. */
    @FunctionalInterface
    public interface MetadataFile {
        /** Writes it, uncompressed; false when there is none that can be read. */
        boolean write(Path target) throws IOException;
    }
}

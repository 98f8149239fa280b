package io.faasimage.refactor.image;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** A place that holds one image; opened by {@link ImageSources}. Thread-safe: layers may be read in parallel. */
public interface ImageSource extends Closeable {
    /**
     * Reads and verifies the manifest and configuration for {@code platform}.
     *
     * @throws io.faasimage.refactor.fault.RefactorException when the image or platform is not there, cannot be
     *     reached, or is not valid
     */
    ResolvedImage resolve(Platform platform) throws IOException;

    /**
     * The platforms with Linux that there are images for, in the order of the index; that of the image itself when it
     * has no index. Files of this machine are images for this machine.
     */
    default List<Platform> platforms() throws IOException {
        return List.of(Platform.host());
    }

    /**
     * The blob of one of the layers that {@link #resolve} gave, as stored. The stream reads exactly the layer's size
     * and fails at its end when the digest differs; a reader that stops early has nothing verified.
     */
    InputStream openLayer(LayerDescriptor layer) throws IOException;

    /**
     * A range of a layer's blob as stored, not verified, so that the source can show that it has a blob which was read
     * before; empty when it gives no single ranges, and the layer is to be read. Files of this machine give none.
     */
    default Optional<byte[]> range(LayerDescriptor layer, long offset, int length) throws IOException {
        return Optional.empty();
    }
}

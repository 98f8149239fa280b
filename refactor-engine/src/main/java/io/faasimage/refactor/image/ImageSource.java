package io.faasimage.refactor.image;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

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
     * The blob of one of the layers that {@link #resolve} gave, as stored. The stream reads exactly the layer's size and
     * fails at its end when the digest differs; a reader that stops early has nothing verified.
     */
    InputStream openLayer(LayerDescriptor layer) throws IOException;

    /**
     * Whether the place that the image comes from vouches that it has the layer's blob under its digest and gives it to
     * us, so that one who has read it before need not read it again. Files of this machine vouch for nothing.
     */
    default boolean vouchesFor(LayerDescriptor layer) throws IOException {
        return false;
    }
}

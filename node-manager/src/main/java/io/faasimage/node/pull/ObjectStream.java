package io.faasimage.node.pull;

import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Frame.ObjectFrame;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The objects and frames of one answer, in the order in which they come. For one thread. */
final class ObjectStream implements AutoCloseable {
    private final BundleReader bundle;
    private final InputStream in;
    private final Beginning beginning;

    /** The wait before the first object is read. */
    @FunctionalInterface
    interface Beginning {
        void await() throws IOException;
    }

    /** Of a bundle whose other frames have been read when {@code beginning} is over, or that has none. */
    ObjectStream(BundleReader bundle, InputStream in, Beginning beginning) {
        this.bundle = bundle;
        this.in = in;
        this.beginning = beginning;
    }

    /** Of a whole answer. */
    static ObjectStream of(InputStream in) throws IOException {
        try {
            return new ObjectStream(new BundleReader(in), in, () -> {});
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
    }

    /**
     * The next object, or the next frames of one; empty at the end.
     *
     * @throws IOException when the stream is damaged or cut off, or the service gave up
     */
    Optional<Frame> next() throws IOException {
        beginning.await();
        while (true) {
            Optional<Frame> frame = bundle.next();
            if (frame.isEmpty()) {
                return Optional.empty();
            }
            switch (frame.get()) {
                case ObjectFrame _, Frame.FramesFrame _ -> {
                    return frame;
                }
                case Frame.MetadataFrame _, Frame.MetadataDeltaFrame _ -> {
                    // Held already when the bundle came, so no look-up waited for it.
                }
                case Frame.EndFrame _ -> {
                    return Optional.empty();
                }
                case Frame.ErrorFrame error -> throw new GaveUpException(error.message());
                case Frame.PlanFrame _, Frame.PlanDeltaFrame _, Frame.SelectedFrame _, Frame.ChainsFrame _ ->
                    throw new IOException("the service sent a frame that was not requested");
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

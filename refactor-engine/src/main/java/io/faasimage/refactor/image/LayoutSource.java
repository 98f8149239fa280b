package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import java.io.IOException;
import java.io.InputStream;

/** Skeleton. */
final class LayoutSource implements ImageSource {
    private final ImageReference.Layout reference;
    private final SourceOptions options;

    LayoutSource(ImageReference.Layout reference, SourceOptions options) {
        this.reference = reference;
        this.options = options;
    }

    static ImageSource open(ImageReference.Layout reference, SourceOptions options) {
        return new LayoutSource(reference, options);
    }

    @Override
    public ResolvedImage resolve(Platform platform) throws IOException {
        throw new RefactorException(RefactorException.Kind.UNSUPPORTED, reference + " " + options);
    }

    @Override
    public InputStream openLayer(LayerDescriptor layer) throws IOException {
        throw new RefactorException(RefactorException.Kind.UNSUPPORTED, reference + " " + options);
    }

    @Override
    public void close() {}
}

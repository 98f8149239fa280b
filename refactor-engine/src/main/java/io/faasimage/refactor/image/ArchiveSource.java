package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import java.io.IOException;
import java.io.InputStream;

/** Skeleton. */
final class ArchiveSource implements ImageSource {
    private final ImageReference.Archive reference;
    private final SourceOptions options;

    ArchiveSource(ImageReference.Archive reference, SourceOptions options) {
        this.reference = reference;
        this.options = options;
    }

    static ImageSource open(ImageReference.Archive reference, SourceOptions options) {
        return new ArchiveSource(reference, options);
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

package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.IOException;
import java.io.InputStream;

/** An image in an archive file: an OCI layout in a tar, or the output of {@code docker save}. */
final class ArchiveSource implements ImageSource {
    private final ArchiveFile archive;
    private final ImageSource images;

    private ArchiveSource(ArchiveFile archive, ImageSource images) {
        this.archive = archive;
        this.images = images;
    }

    static ArchiveSource open(ImageLocation.Archive reference, SourceOptions options) throws IOException {
        ArchiveFile archive = ArchiveFile.open(reference.file());
        boolean layout = archive.has("index.json");
        if (!layout && !archive.has("manifest.json")) {
            archive.close();
            throw new RefactorException(
                    Kind.INVALID,
                    reference.file() + " is not an image archive: it has neither index.json (OCI) nor manifest.json"
                            + " (docker save)");
        }
        return new ArchiveSource(
                archive,
                layout ? new Layout(reference, archive, options) : new SavedImages(reference, archive, options));
    }

    @Override
    public ResolvedImage resolve(Platform platform) throws IOException {
        return images.resolve(platform);
    }

    @Override
    public InputStream openLayer(LayerDescriptor layer) throws IOException {
        return images.openLayer(layer);
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }

    /** The layout in the archive. */
    private static final class Layout implements ImageSource {
        private final LayoutImages images;

        Layout(ImageLocation.Archive reference, ArchiveFile archive, SourceOptions options) {
            images = new LayoutImages(reference, reference.reference(), archive::open, options);
        }

        @Override
        public ResolvedImage resolve(Platform platform) throws IOException {
            return images.resolve(platform);
        }

        @Override
        public InputStream openLayer(LayerDescriptor layer) throws IOException {
            return images.openLayer(layer);
        }

        @Override
        public void close() {}
    }
}

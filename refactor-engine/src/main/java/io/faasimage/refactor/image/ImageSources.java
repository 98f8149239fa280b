package io.faasimage.refactor.image;

import java.io.IOException;

/** The opener of the source that an image reference names. */
public final class ImageSources {
    private ImageSources() {}

    /**
     * Opens the place that {@code reference} names; nothing is read from a registry before {@link ImageSource#resolve}.
     *
     * @throws io.faasimage.refactor.fault.RefactorException when a directory or file is not there or of no known form
     */
    public static ImageSource open(ImageLocation reference, SourceOptions options) throws IOException {
        return switch (reference) {
            case ImageLocation.Remote remote -> new RegistrySource(remote.reference(), options);
            case ImageLocation.Layout layout -> LayoutSource.open(layout, options);
            case ImageLocation.Archive archive -> ArchiveSource.open(archive, options);
        };
    }
}

package io.faasimage.refactor.image;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** An image in an OCI layout directory. */
final class LayoutSource implements ImageSource {
    private final LayoutImages images;

    private LayoutSource(LayoutImages images) {
        this.images = images;
    }

    static LayoutSource open(ImageLocation.Layout reference, SourceOptions options) throws RefactorException {
        Path directory = reference.directory();
        if (!Files.isRegularFile(directory.resolve("index.json"))) {
            throw new RefactorException(
                    Kind.NOT_FOUND, directory + " is not an OCI layout directory: it has no index.json");
        }
        LayoutImages.Files files = name -> {
            try {
                return Files.newInputStream(directory.resolve(name));
            } catch (NoSuchFileException e) {
                throw new RefactorException(Kind.NOT_FOUND, reference + " has no file " + name, e);
            }
        };
        return new LayoutSource(new LayoutImages(reference, reference.reference(), files, options));
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

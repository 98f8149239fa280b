package io.faasimage.refactor.closure.image;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * The root file system of an image, all layers applied. Paths are absolute, or relative to the root, with one char per
 * byte; symbolic links are followed as for a process whose root directory this is. A path that is not there, leads in a
 * circle or cannot be a path is absent, never an error. For one thread.
 */
public interface ImageFiles {
    /** What is at a path, links followed; absent also for devices, pipes and sockets. */
    Optional<ImageEntry> find(String path);

    /** The names in a directory, in order; empty when it is none. */
    List<String> names(FilePath directory);

    /**
     * The content of a regular file, from its beginning.
     *
     * @throws IOException when the content, which the image has, cannot be read
     */
    InputStream open(FilePath file) throws IOException;

    /** Reads all of the content of a regular file and compares its digest; fails when it is another one. */
    void verify(Digest content) throws IOException;

    /** The regular file at a path, if there is one. */
    default Optional<ImageEntry.File> file(String path) {
        return find(path).filter(ImageEntry.File.class::isInstance).map(ImageEntry.File.class::cast);
    }

    /** The directory at a path, if there is one. */
    default Optional<FilePath> directory(String path) {
        return find(path).filter(ImageEntry.Directory.class::isInstance).map(ImageEntry::path);
    }
}

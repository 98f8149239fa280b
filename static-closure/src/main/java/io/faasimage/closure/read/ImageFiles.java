package io.faasimage.closure.read;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The root file system of an image, all layers applied: all that an analysis knows of it. Paths are absolute, or
 * relative to the root, with one char per byte; symbolic links are followed as for a process whose root directory this
 * is. A path that is not there, leads in a circle or cannot be a path is absent, never an error. For one thread.
 */
public interface ImageFiles {
    /** The entry at a path, links followed; absent also for devices, pipes and sockets. */
    Optional<ImageEntry> find(String path);

    /** The names in a directory, in order; empty when it is none. */
    List<String> names(FilePath directory);

    /**
     * The content of a regular file from its beginning.
     *
     * @throws IOException when the content, which the image has, cannot be read
     */
    InputStream open(ImageEntry.File file) throws IOException;

    /** The regular file at a path, if there is one. */
    default Optional<ImageEntry.File> file(String path) {
        return find(path).filter(ImageEntry.File.class::isInstance).map(ImageEntry.File.class::cast);
    }

    /** The directory at a path, if there is one. */
    default Optional<FilePath> directory(String path) {
        return find(path).filter(ImageEntry.Directory.class::isInstance).map(ImageEntry::path);
    }

    /** The names in the directory at a path; empty when there is none. */
    default List<String> names(String directory) {
        return directory(directory).map(this::names).orElse(List.of());
    }

    /** The first of these paths that leads to a regular file. */
    default Optional<ImageEntry.File> first(Stream<String> paths) {
        return paths.flatMap(path -> file(path).stream()).findFirst();
    }
}

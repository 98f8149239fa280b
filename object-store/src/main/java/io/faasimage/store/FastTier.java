package io.faasimage.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A directory of a store on storage that is faster than its root.
 *
 * @param directory on a file system of its own; its content may be gone after a boot
 * @param budget most bytes of objects in it; as many as its file system takes when 0
 */
public record FastTier(Path directory, long budget) {
    /** Makes the path absolute. */
    public FastTier {
        directory = directory.toAbsolutePath().normalize();
        if (budget < 0) {
            throw new IllegalArgumentException("the budget of " + directory + " is negative: " + budget);
        }
    }

    /**
     * Whether a file system of its own is mounted there: otherwise its objects would fill the disk of {@code root}.
     *
     * @param root an existing directory of the store
     */
    public boolean isApartFrom(Path root) throws IOException {
        return Files.isDirectory(directory) && !device(directory).equals(device(root));
    }

    /** The kernel's number for the file system of {@code path}. */
    static Object device(Path path) throws IOException {
        return Files.getAttribute(path, "unix:dev");
    }
}

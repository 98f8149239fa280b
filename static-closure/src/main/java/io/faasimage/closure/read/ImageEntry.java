package io.faasimage.closure.read;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import java.util.Optional;

/** A regular file or a directory of an image, under its path without symbolic links. */
public sealed interface ImageEntry {
    /** Where it is. */
    FilePath path();

    /** A directory. */
    record Directory(FilePath path) implements ImageEntry {}

    /**
     * A regular file.
     *
     * @param size in bytes
     * @param modified time of modification, seconds since the epoch
     * @param executable by anybody
     * @param content its digest; absent for an empty file
     */
    record File(FilePath path, long size, long modified, boolean executable, Optional<Digest> content)
            implements ImageEntry {
        /** The path with a leading slash, one char per byte. */
        public String name() {
            return "/" + path.raw();
        }

        /** The directory with a leading slash, one char per byte. */
        public String directory() {
            return "/" + path.parent().raw();
        }
    }
}

package io.faasimage.refactor.layer;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;

/** One change that a layer makes, in the order of its archive. Paths are as written, symbolic links not followed. */
public sealed interface LayerEntry {
    /** Where the change is. */
    FilePath path();

    /** A file-system object is put at the path. */
    record Put(FilePath path, Inode inode) implements LayerEntry {}

    /** The path becomes another name of the inode at {@code target}, which takes these attributes. */
    record HardLink(FilePath path, FilePath target, Attributes attributes) implements LayerEntry {}

    /** The removal of the path, and of everything below it, from the lower layers. */
    record Whiteout(FilePath path) implements LayerEntry {}

    /** The removal of everything below the directory at the path from the lower layers. */
    record Opaque(FilePath path) implements LayerEntry {}
}

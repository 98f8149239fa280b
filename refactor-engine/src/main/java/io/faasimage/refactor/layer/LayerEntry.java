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

    /** The path becomes another name of what is at {@code target}, which takes these attributes. */
    record HardLink(FilePath path, FilePath target, Attributes attributes) implements LayerEntry {}

    /** What lower layers have at the path is gone. */
    record Whiteout(FilePath path) implements LayerEntry {}

    /** What lower layers have below the directory at the path is gone. */
    record Opaque(FilePath path) implements LayerEntry {}
}

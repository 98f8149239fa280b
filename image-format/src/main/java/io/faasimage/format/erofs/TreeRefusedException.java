package io.faasimage.format.erofs;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;

/** A file tree has something that a metadata image must not or cannot hold; nothing was written. */
public final class TreeRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient FilePath path;

    /** {@code path} is refused because of {@code reason}. */
    public TreeRefusedException(FilePath path, String reason) {
        super(path.display() + " cannot be in a metadata image: " + reason);
        this.path = path;
    }

    /** The refused path. */
    public FilePath path() {
        return path;
    }
}

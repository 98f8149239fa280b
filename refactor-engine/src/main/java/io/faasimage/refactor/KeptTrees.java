package io.faasimage.refactor;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FileTree;
import io.faasimage.refactor.held.SoftCache;
import java.util.List;
import java.util.Optional;

/**
 * A bounded cache of flattened layers of images that were refactored before. The next version of a function has all of
 * their layers but the topmost one, so these are neither flattened nor written again; and the files of the version
 * before need not be read back from their metadata image. Thread-safe.
 */
public final class KeptTrees {
    /**
     * About the bytes of an entry of a tree: its path, its inode, and the references to them. A content takes as much.
     */
    private static final long ENTRY_BYTES = 320;

    private final SoftCache<ChainId, Lower> lower;
    private final SoftCache<Digest, FileTree> whole;

    /**
     * All layers of an image but the topmost one.
     *
     * @param stack of these layers
     * @param images their metadata images, bottom first
     */
    record Lower(ImageStack.Applied stack, List<MetadataWriter.Written> images) {
        Lower {
            images = List.copyOf(images);
        }
    }

    /** An empty cache of at most about so many bytes; of 0 bytes, one that stays empty. */
    public KeptTrees(long most) {
        this.lower = new SoftCache<>(most / 2);
        this.whole = new SoftCache<>(most / 2);
    }

    /** The layers up to {@code chain}, if they are cached. */
    Optional<Lower> lower(ChainId chain) {
        return lower.find(chain);
    }

    /** Whether layers of so many entries and contents together may be cached at all. */
    boolean fits(long entries) {
        return lower.fits(entries * ENTRY_BYTES);
    }

    /** Caches layers. */
    void add(ChainId chain, Lower layers) {
        int tree = layers.stack.flattener().tree().size();
        int contents = layers.stack.contents().size();
        lower.add(chain, layers, ((long) tree + contents) * ENTRY_BYTES);
    }

    /** The tree whose metadata image has this digest, if it is cached; it must not be changed. */
    public Optional<FileTree> whole(Digest metadata) {
        return whole.find(metadata);
    }

    /** Caches the tree whose metadata image has this digest; it must not be changed any more. */
    void add(Digest metadata, FileTree tree) {
        whole.add(metadata, tree, tree.size() * ENTRY_BYTES);
    }
}

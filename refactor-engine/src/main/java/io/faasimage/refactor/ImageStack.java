package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.Flattener;
import io.faasimage.refactor.layer.LayerEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layers of an image put on one another, and the contents that every prefix refers to. For one thread.
 *
 * <p>A content that an upper layer hides is still in the plan; it belongs to whom its path belongs in the whole image.
 */
final class ImageStack {
    /** A content: its size, and the path where it was first shown. */
    record Shown(long size, FilePath path) {}

    private final List<List<LayerEntry>> layers;
    private final Flattener flattener;
    private final Map<Digest, Shown> contents = new HashMap<>();
    private int applied;

    /** These layers, which have at most {@code maxEntries} together, implied directories included. */
    ImageStack(List<List<LayerEntry>> layers, long maxEntries) {
        this.layers = List.copyOf(layers);
        this.flattener = new Flattener(maxEntries);
    }

    /** The tree of the layers applied so far. */
    FileTree tree() {
        return flattener.tree();
    }

    /** The number of layers applied. */
    int size() {
        return applied;
    }

    /** Puts the next layer on top and records the contents that the tree shows. */
    void applyNext() throws RefactorException {
        flattener.apply(layers.get(applied), (path, inode) -> {
            if (inode instanceof Inode.RegularFile file && file.content().isPresent()) {
                contents.putIfAbsent(file.content().get(), new Shown(file.size(), path));
            }
        });
        applied++;
    }

    /** Every content of every prefix applied so far. */
    Map<Digest, Shown> contents() {
        return contents;
    }
}

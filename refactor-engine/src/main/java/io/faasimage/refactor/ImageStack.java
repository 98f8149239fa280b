package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.Flattener;
import io.faasimage.refactor.layer.LayerEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layers of an image put on one another, and what every prefix refers to. For one thread.
 *
 * <p>A content that an upper layer hides is still in the plan; it is classified by the last prefix that shows it.
 */
final class ImageStack {
    /** A content: its size and the last prefix (from 0) that shows it. */
    record Shown(long size, int lastPrefix) {}

    private final List<List<LayerEntry>> layers;
    private final long maxEntries;
    private final Flattener flattener;
    private final Map<Digest, Shown> contents = new HashMap<>();
    private int applied;

    /** These layers, which have at most {@code maxEntries} together, implied directories included. */
    ImageStack(List<List<LayerEntry>> layers, long maxEntries) {
        this.layers = List.copyOf(layers);
        this.maxEntries = maxEntries;
        this.flattener = newFlattener();
    }

    /** One that has no layers yet, with the same limit. */
    final Flattener newFlattener() {
        return new Flattener(maxEntries);
    }

    Flattener flattener() {
        return flattener;
    }

    /** The tree of the layers applied so far. */
    FileTree tree() {
        return flattener.tree();
    }

    /** Puts the next layer on top and notes what the tree shows. */
    void applyNext() throws RefactorException {
        flattener.apply(layers.get(applied));
        for (Inode inode : flattener.tree().inodes().values()) {
            if (inode instanceof Inode.RegularFile file && file.content().isPresent()) {
                contents.put(file.content().get(), new Shown(file.size(), applied));
            }
        }
        applied++;
    }

    /** Every content of every prefix applied so far. */
    Map<Digest, Shown> contents() {
        return contents;
    }

    /** How many layers there are. */
    int layerCount() {
        return layers.size();
    }

    /** The changes of one layer. */
    List<LayerEntry> layer(int number) {
        return layers.get(number);
    }
}

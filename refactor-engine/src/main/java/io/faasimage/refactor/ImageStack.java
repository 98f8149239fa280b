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

    /**
     * The lowest layers of an image; not changed any more.
     *
     * @param layers how many
     * @param flattener with these layers
     * @param contents that they show
     */
    record Applied(int layers, Flattener flattener, Map<Digest, Shown> contents) {}

    private final List<List<LayerEntry>> layers;
    private Flattener flattener;
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

    /** The number of the tree's entries, and of the contents of the layers applied so far. */
    long weight() {
        return (long) tree().size() + contents.size();
    }

    /** The layers applied so far, for other images that have them, too. */
    Applied applied() {
        return new Applied(applied, flattener.copy(flattener.entries()), new HashMap<>(contents));
    }

    /** Begins with the lowest layers, which were applied before. */
    void begin(Applied below, long maxEntries) {
        flattener = below.flattener.copy(maxEntries);
        contents.putAll(below.contents);
        applied = below.layers;
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

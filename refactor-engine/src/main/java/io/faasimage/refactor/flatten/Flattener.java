package io.faasimage.refactor.flatten;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.layer.LayerEntry;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The root file system of a growing stack of layers. The root directory itself is 0755, root's and of the epoch, as a
 * layer's entry for it is ignored by containerd as well. Not thread-safe.
 */
public final class Flattener {
    private final FileTree tree = new FileTree(Attributes.of(0755, 0, 0, 0, 0));
    private final EntryCount entries;
    private int layers;

    /**
     * No layers yet.
     *
     * @param maxEntries of all layers together, the directories included that they imply and do not have
     */
    public Flattener(long maxEntries) {
        this.entries = new EntryCount(maxEntries);
    }

    /** Puts one more layer on top. */
    public void apply(List<LayerEntry> layer) throws RefactorException {
        apply(layer, (path, inode) -> {});
    }

    /** Variant that reports each entry of the layer to {@code put}, in the order of the paths. */
    public void apply(List<LayerEntry> layer, BiConsumer<FilePath, Inode> put) throws RefactorException {
        layers++;
        UpperTree upper = new UpperTree(tree, entries);
        try {
            for (LayerEntry entry : layer) {
                entries.count();
                if (Thread.currentThread().isInterrupted()) {
                    throw new RefactorException(Kind.CANCELLED, "interrupted at '" + entry.path() + "'");
                }
                upper.add(entry);
            }
        } catch (RefactorException e) {
            throw new RefactorException(e.kind(), "layer " + layers + ": " + e.getMessage(), e);
        }
        upper.mergeInto(tree, put);
    }

    /** The tree as it is now; changes with the next layer, must not be changed. */
    public FileTree tree() {
        return tree;
    }
}

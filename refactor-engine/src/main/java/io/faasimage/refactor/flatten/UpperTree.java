package io.faasimage.refactor.flatten;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.layer.LayerEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One layer unpacked into a directory of its own, as containerd does for overlayfs: symbolic links are followed inside
 * this layer only, and never out of the root.
 */
final class UpperTree {
    private static final int MAX_LINKS = 255;
    private static final Attributes IMPLICIT = Attributes.of(0755, 0, 0, 0, 0);

    private final FileTree lower;
    private final FileTree tree = new FileTree(IMPLICIT);
    private final Set<FilePath> implicit = new HashSet<>();
    private final Set<FilePath> whiteouts = new HashSet<>();
    private final Set<FilePath> opaque = new HashSet<>();

    /** An empty layer on top of {@code lower}, where hard links may point to. */
    UpperTree(FileTree lower) {
        this.lower = lower;
    }

    /** Makes one change of the layer. */
    void add(LayerEntry entry) throws RefactorException {
        try {
            switch (entry) {
                case LayerEntry.Put put -> put(place(put.path()), put.inode());
                case LayerEntry.HardLink link -> link(link);
                case LayerEntry.Whiteout whiteout -> whiteouts.add(inParent(whiteout.path()));
                case LayerEntry.Opaque directory -> opaque.add(resolve(directory.path()));
            }
        } catch (IllegalArgumentException e) {
            throw new RefactorException(Kind.INVALID, "entry '" + entry.path() + "': " + e.getMessage(), e);
        }
    }

    private void put(FilePath path, Inode inode) {
        tree.put(path, inode);
        implicit.remove(path);
    }

    private void link(LayerEntry.HardLink link) throws RefactorException {
        FilePath target = inParent(link.target());
        Optional<Inode> inode = tree.get(target).or(() -> lower.get(link.target()));
        if (inode.isEmpty() || inode.get() instanceof Inode.Directory) {
            throw new RefactorException(
                    Kind.INVALID,
                    "entry '" + link.path() + "' is a hard link to '" + link.target() + "', which is "
                            + (inode.isEmpty() ? "not there" : "a directory"));
        }
        FilePath path = place(link.path());
        if (!path.equals(target)) {
            put(path, inode.get());
        }
    }

    /** Where {@code path} really is, its parents made. */
    private FilePath place(FilePath path) throws RefactorException {
        FilePath place = inParent(path);
        Deque<FilePath> missing = new ArrayDeque<>();
        for (FilePath p = place.parent(); !p.isRoot() && tree.get(p).isEmpty(); p = p.parent()) {
            missing.push(p);
        }
        for (FilePath p : missing) {
            tree.put(p, new Inode.Directory(IMPLICIT));
            implicit.add(p);
        }
        return place;
    }

    private FilePath inParent(FilePath path) throws RefactorException {
        return path.isRoot() ? path : resolve(path.parent()).child(path.name());
    }

    private FilePath resolve(FilePath path) throws RefactorException {
        return new LinkWalk(tree, MAX_LINKS).resolve(path);
    }

    /** Puts this layer over {@code base}. */
    void mergeInto(FileTree base) {
        opaque.forEach(base::clear);
        whiteouts.stream().filter(p -> !p.isRoot()).forEach(base::remove);
        for (Map.Entry<FilePath, Inode> entry : List.copyOf(tree.inodes().entrySet())) {
            FilePath path = entry.getKey();
            boolean keeps = implicit.contains(path) && base.get(path).orElse(null) instanceof Inode.Directory;
            if (!path.isRoot() && !keeps) {
                base.put(path, entry.getValue());
            }
        }
    }
}

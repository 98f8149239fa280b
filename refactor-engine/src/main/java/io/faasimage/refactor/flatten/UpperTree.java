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
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * One layer unpacked into a directory of its own, as containerd does for overlayfs: symbolic links are followed inside
 * this layer only, and never out of the root.
 *
 * <p>Two results of that may surprise. A whiteout is a device node there: a directory that comes after one of its name
 * takes its place and is then merged with the directory below as if there had been no whiteout. And overlayfs always
 * merges the root directories of its layers, so that an opaque marker in the root hides nothing.
 */
final class UpperTree {
    private static final int MAX_LINKS = 255;
    private static final Attributes IMPLICIT = Attributes.of(0755, 0, 0, 0, 0);

    private final FileTree lower;
    private final EntryCount entries;
    private final FileTree tree = new FileTree(IMPLICIT);
    private final Set<FilePath> whiteouts = new HashSet<>();
    private final Set<FilePath> opaque = new HashSet<>();
    private final LinkedInodes linked = new LinkedInodes();

    /**
     * An empty layer on top of {@code lower}, where hard links may point to; implied directories go into
     * {@code entries}.
     */
    UpperTree(FileTree lower, EntryCount entries) {
        this.lower = lower;
        this.entries = entries;
    }

    /** Makes one change of the layer. */
    void add(LayerEntry entry) throws RefactorException {
        try {
            switch (entry) {
                case LayerEntry.Put put -> put(place(put.path()), put.inode());
                case LayerEntry.HardLink link -> link(link);
                case LayerEntry.Whiteout whiteout -> whiteouts.add(place(whiteout.path()));
                case LayerEntry.Opaque marker -> opaque.add(directory(marker.path()));
            }
        } catch (IllegalArgumentException e) {
            throw new RefactorException(Kind.INVALID, "entry '" + entry.path() + "': " + e.getMessage(), e);
        }
    }

    private void put(FilePath path, Inode inode) {
        tree.put(path, inode);
        if (inode instanceof Inode.Directory) {
            whiteouts.remove(path);
        }
    }

    /** A link to a file of a lower layer, which containerd refuses, takes that file as it is. */
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
        if (tree.get(target).isPresent()) {
            linked.link(inode.get(), link.attributes());
        }
    }

    /** Where {@code path} really is, its parents made. */
    private FilePath place(FilePath path) throws RefactorException {
        return path.isRoot() ? path : directory(path.parent()).child(path.name());
    }

    /** Where the directory {@code path} really is; made with all above it where it is missing. */
    private FilePath directory(FilePath path) throws RefactorException {
        FilePath place = resolve(path);
        Deque<FilePath> missing = new ArrayDeque<>();
        FilePath there = place;
        while (tree.get(there).isEmpty()) {
            missing.push(there);
            there = there.parent();
        }
        if (!(tree.get(there).orElseThrow() instanceof Inode.Directory)) {
            throw new IllegalArgumentException("no directory at " + there);
        }
        if (!missing.isEmpty()) {
            make(there, missing);
        }
        return place;
    }

    /**
     * Makes directories without entries, each in the one before it and the first in {@code parent}, with the attributes
     * of the lower layers' inodes there, links followed. The walk continues from one to the next: from the root for
     * each of them, a few deep paths would take minutes.
     */
    private void make(FilePath parent, Deque<FilePath> missing) throws RefactorException {
        LinkWalk walk = new LinkWalk(lower, MAX_LINKS);
        FilePath below = walk.resolve(parent);
        for (FilePath path : missing) {
            entries.count();
            below = walk.resolve(below, path.name());
            Attributes attributes = lower.get(below).orElse(null) instanceof Inode.Directory directory
                    ? directory.attributes()
                    : IMPLICIT;
            tree.put(path, new Inode.Directory(attributes));
        }
    }

    private FilePath inParent(FilePath path) throws RefactorException {
        return path.isRoot() ? path : resolve(path.parent()).child(path.name());
    }

    private FilePath resolve(FilePath path) throws RefactorException {
        return new LinkWalk(tree, MAX_LINKS).resolve(path);
    }

    /** Puts this layer over {@code base}; {@code put} receives each path. */
    void mergeInto(FileTree base, BiConsumer<FilePath, Inode> put) {
        opaque.stream().filter(p -> !p.isRoot()).forEach(base::clear);
        whiteouts.stream().filter(p -> !p.isRoot()).forEach(base::remove);
        for (Map.Entry<FilePath, Inode> entry : tree.inodes().entrySet()) {
            if (!entry.getKey().isRoot()) {
                Inode inode = linked.last(entry.getValue());
                base.put(entry.getKey(), inode);
                put.accept(entry.getKey(), inode);
            }
        }
    }
}

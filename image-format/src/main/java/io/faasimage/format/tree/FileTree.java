package io.faasimage.format.tree;

import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A mutable file tree: every path of a root file system with its inode, depth first.
 *
 * <p>Invariant: the root is a directory, and so is the parent of every path. Not thread-safe.
 */
public final class FileTree {
    private final NavigableMap<FilePath, Inode> inodes = new TreeMap<>();

    /** A tree with nothing but the root directory. */
    public FileTree(Attributes root) {
        inodes.put(FilePath.ROOT, new Inode.Directory(root));
    }

    /** The inode at {@code path}, not following links. */
    public Optional<Inode> get(FilePath path) {
        return Optional.ofNullable(inodes.get(path));
    }

    /**
     * Puts {@code inode} at {@code path}. A directory put over a directory keeps the entries below; any other previous
     * entry is replaced together with everything below it.
     *
     * @throws IllegalArgumentException if the parent is not a directory, or a non-directory is put at the root
     */
    public void put(FilePath path, Inode inode) {
        boolean isDirectory = inode instanceof Inode.Directory;
        if (path.isRoot() && !isDirectory) {
            throw new IllegalArgumentException("the root must be a directory");
        }
        if (!path.isRoot() && !(inodes.get(path.parent()) instanceof Inode.Directory)) {
            throw new IllegalArgumentException("no directory at " + path.parent());
        }
        Inode before = inodes.put(path, inode);
        if (before instanceof Inode.Directory && !isDirectory) {
            clear(path);
        }
    }

    /** Removes {@code path} and all below it; no error when it is not there. The root itself is never removed. */
    public void remove(FilePath path) {
        clear(path);
        if (!path.isRoot()) {
            inodes.remove(path);
        }
    }

    /** Removes all that is below {@code directory}, not the directory itself. */
    public void clear(FilePath directory) {
        NavigableMap<FilePath, Inode> after = inodes.tailMap(directory, false);
        var keys = after.keySet().iterator();
        while (keys.hasNext() && keys.next().isAtOrBelow(directory)) {
            keys.remove();
        }
    }

    /** Number of paths, the root included. */
    public int size() {
        return inodes.size();
    }

    /** All paths, depth first; a read-only live view. */
    public SortedMap<FilePath, Inode> inodes() {
        return Collections.unmodifiableSortedMap(inodes);
    }
}

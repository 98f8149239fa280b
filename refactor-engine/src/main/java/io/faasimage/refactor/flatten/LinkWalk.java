package io.faasimage.refactor.flatten;

import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * A resolver of symbolic links in a tree, as for a process whose root directory is the tree's: absolute targets start
 * at the root, and {@code ..} at the root stays there.
 */
public final class LinkWalk {
    private final FileTree tree;
    private final int maxLinks;

    /** Walks {@code tree}, following at most {@code maxLinks} links per path. */
    public LinkWalk(FileTree tree, int maxLinks) {
        this.tree = tree;
        this.maxLinks = maxLinks;
    }

    /**
     * The path without symbolic links, the last component followed, too. A missing component is taken as written.
     *
     * @throws RefactorException on a cycle of links
     */
    public FilePath resolve(FilePath path) throws RefactorException {
        return resolve(path.raw());
    }

    /** The same for a name as written, which may have {@code .}, {@code ..} and a leading slash. */
    public FilePath resolve(String name) throws RefactorException {
        return resolve(FilePath.ROOT, name);
    }

    /** The same for a name in {@code directory}, which is without links already. */
    FilePath resolve(FilePath directory, String name) throws RefactorException {
        Deque<String> todo = new ArrayDeque<>(names(name));
        FilePath at = directory;
        int links = 0;
        while (!todo.isEmpty()) {
            String part = todo.pop();
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            if (part.equals("..")) {
                at = at.parent();
                continue;
            }
            FilePath next = at.child(part);
            if (tree.get(next).orElse(null) instanceof Inode.Symlink link) {
                if (++links > maxLinks) {
                    throw new RefactorException(Kind.INVALID, "too many symbolic links on the way to '" + name + "'");
                }
                if (link.target().startsWith("/")) {
                    at = FilePath.ROOT;
                }
                names(link.target()).reversed().forEach(todo::push);
            } else {
                at = next;
            }
        }
        return at;
    }

    private static List<String> names(String raw) {
        return Arrays.asList(raw.split("/"));
    }
}

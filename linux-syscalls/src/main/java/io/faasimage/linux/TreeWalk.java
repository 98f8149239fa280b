package io.faasimage.linux;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A walk over a directory tree of any depth, with three open descriptors at most. The tree may change meanwhile:
 * entries that vanish are left out, and directories that are moved away are not followed.
 *
 * <p>Implementation notes: {@link #frames} holds, for each directory from the top to the current one, its identity and
 * the subdirectories that are still to be visited; only the current one is open. The way up is {@code ..}, checked
 * against the identity; when a directory was moved, the walk comes back from the top, by the names it went down.
 */
public final class TreeWalk {
    private final OpenDirectory top;
    private final Visitor visitor;
    private final List<Frame> frames = new ArrayList<>();
    /** The names of all frames but the top's. */
    private final List<FileName> parents = new ArrayList<>();

    private static final FileName TOP = new FileName(new byte[0]);

    private record Frame(FileName name, FileStatus status, Deque<FileName> directories) {}

    private TreeWalk(OpenDirectory top, Visitor visitor) {
        this.top = top;
        this.visitor = visitor;
    }

    /** The name of a file, as bytes. */
    public static final class FileName {
        private final byte[] bytes;

        private FileName(byte[] bytes) {
            this.bytes = bytes;
        }

        /** The bytes, which are not to be changed. */
        public byte[] bytes() {
            return bytes;
        }

        @Override
        public String toString() {
            return PathBytes.text(bytes);
        }
    }

    /**
     * An entry of a directory, good as long as the visitor's method runs.
     *
     * @param directory the directory it is in
     * @param parents the names that lead from the top to {@code directory}
     * @param name its name there
     * @param status of the entry, of a symbolic link itself
     */
    public record Entry(OpenDirectory directory, List<FileName> parents, FileName name, FileStatus status) {
        /** The path below the top, cut short in the middle when it is very long. */
        @Override
        public String toString() {
            List<FileName> shown = parents.size() <= 8 ? parents : parents.subList(0, 8);
            StringBuilder path = new StringBuilder();
            shown.forEach(parent -> path.append(parent).append('/'));
            return path.append(shown.size() < parents.size() ? ".../" : "")
                    .append(name)
                    .toString();
        }
    }

    /** The work on the entries. A failure ends the walk. */
    public interface Visitor {
        /** An entry that is no directory. */
        void file(Entry file) throws IOException;

        /** A directory, before its entries. */
        default void enter(Entry directory) throws IOException {}

        /** A directory that was entered, after its entries; it may be deleted. */
        default void leave(Entry directory) throws IOException {}

        /** A directory that cannot be opened or read. */
        default void failed(Entry directory, LinuxException failure) throws IOException {
            throw failure;
        }
    }

    /** Visits all below {@code top}, but not {@code top} itself. */
    public static void walk(Path top, Visitor visitor) throws IOException {
        try (OpenDirectory directory = OpenDirectory.open(top)) {
            new TreeWalk(directory, visitor).run();
        }
    }

    private void run() throws IOException {
        OpenDirectory current = top;
        try {
            frames.add(new Frame(TOP, top.status(), read(top)));
            while (true) {
                FileName next = frames.getLast().directories().poll();
                if (next != null) {
                    current = descend(current, next);
                } else if (frames.size() > 1) {
                    current = ascend(current);
                } else {
                    return;
                }
            }
        } finally {
            closeBelowTop(current);
        }
    }

    /** Visits the files of a directory; the answer is its subdirectories. */
    private Deque<FileName> read(OpenDirectory directory) throws IOException {
        Deque<FileName> directories = new ArrayDeque<>();
        directory.list(name -> {
            Optional<FileStatus> status = directory.status(name);
            if (status.isEmpty()) {
                return;
            }
            if (status.get().isDirectory()) {
                directories.add(new FileName(name));
            } else {
                visitor.file(new Entry(directory, parents, new FileName(name), status.get()));
            }
        });
        return directories;
    }

    private OpenDirectory descend(OpenDirectory current, FileName name) throws IOException {
        Optional<FileStatus> status = current.status(name.bytes()).filter(FileStatus::isDirectory);
        if (status.isEmpty()) {
            return current;
        }
        Entry entry = new Entry(current, parents, name, status.get());
        visitor.enter(entry);
        OpenDirectory child;
        try {
            child = current.child(name.bytes());
        } catch (LinuxException e) {
            if (!isGone(e)) {
                visitor.failed(entry, e);
            }
            return current;
        }
        try {
            parents.add(name);
            frames.add(new Frame(name, child.status(), read(child)));
        } catch (LinuxException e) {
            child.close();
            parents.removeLast();
            visitor.failed(entry, e);
            return current;
        } catch (IOException | RuntimeException e) {
            child.close();
            throw e;
        }
        closeBelowTop(current);
        return child;
    }

    private OpenDirectory ascend(OpenDirectory current) throws IOException {
        Frame done = frames.removeLast();
        parents.removeLast();
        int depth = frames.size();
        OpenDirectory parent = depth == 1 ? top : current.parent();
        try {
            if (!parent.status().sameFile(frames.getLast().status())) {
                closeBelowTop(parent);
                parent = fromTop();
            }
            closeBelowTop(current);
            Optional<FileStatus> status = parent.status(done.name().bytes()).filter(done.status()::sameFile);
            if (frames.size() == depth && status.isPresent()) {
                visitor.leave(new Entry(parent, parents, done.name(), status.get()));
            }
            return parent;
        } catch (IOException | RuntimeException e) {
            closeBelowTop(parent);
            throw e;
        }
    }

    /** Goes down from the top again, as far as the directories are where they were; the others are given up. */
    private OpenDirectory fromTop() throws LinuxException {
        OpenDirectory at = top;
        for (int i = 1; i < frames.size(); i++) {
            Optional<OpenDirectory> child = same(at, frames.get(i));
            if (child.isEmpty()) {
                frames.subList(i, frames.size()).clear();
                parents.subList(i - 1, parents.size()).clear();
                break;
            }
            closeBelowTop(at);
            at = child.get();
        }
        return at;
    }

    private Optional<OpenDirectory> same(OpenDirectory directory, Frame frame) throws LinuxException {
        OpenDirectory child;
        try {
            child = directory.child(frame.name().bytes());
        } catch (LinuxException e) {
            if (isGone(e)) {
                return Optional.empty();
            }
            closeBelowTop(directory);
            throw e;
        }
        if (child.status().sameFile(frame.status())) {
            return Optional.of(child);
        }
        child.close();
        return Optional.empty();
    }

    private static boolean isGone(LinuxException e) {
        return e.is(Errno.ENOENT) || e.is(Errno.ENOTDIR) || e.is(Errno.ELOOP);
    }

    private void closeBelowTop(OpenDirectory directory) {
        if (directory != top) {
            directory.close();
        }
    }
}

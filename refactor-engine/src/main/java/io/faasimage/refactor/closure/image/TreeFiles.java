package io.faasimage.refactor.closure.image;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.LinkWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files of a flattened tree, their contents by digest. The tree must not change meanwhile. */
public final class TreeFiles implements ImageFiles {
    private static final int MAX_LINKS = 40;
    private static final int ANY_EXECUTE = 0111;

    private final FileTree tree;
    private final Objects objects;
    private final LinkWalk walk;
    private final Map<String, Optional<FilePath>> directories = new HashMap<>();
    private final Map<FilePath, List<String>> names = new HashMap<>();

    /** A source of the contents of files. */
    @FunctionalInterface
    public interface Objects {
        /** The content from its beginning. */
        InputStream open(Digest digest) throws IOException;
    }

    /** The files of {@code tree}. */
    public TreeFiles(FileTree tree, Objects objects) {
        this.tree = tree;
        this.objects = objects;
        this.walk = new LinkWalk(tree, MAX_LINKS);
    }

    @Override
    public Optional<ImageEntry> find(String path) {
        return resolve(path).flatMap(this::entry);
    }

    private Optional<ImageEntry> entry(FilePath path) {
        return tree.get(path).flatMap(inode -> switch (inode) {
            case Inode.Directory directory -> Optional.of(new ImageEntry.Directory(path));
            case Inode.RegularFile file ->
                Optional.of(new ImageEntry.File(
                        path,
                        file.size(),
                        file.attributes().mtimeSeconds(),
                        (file.attributes().mode() & ANY_EXECUTE) != 0,
                        file.content()));
            case Inode.Symlink link -> Optional.empty();
            case Inode.Special special -> Optional.empty();
        });
    }

    /** Directories are remembered, because most look-ups are for many names in few of them. */
    private Optional<FilePath> resolve(String path) {
        int slash = path.lastIndexOf('/');
        String last = path.substring(slash + 1);
        if (slash <= 0 || last.isEmpty() || last.equals(".") || last.equals("..")) {
            return walk(path);
        }
        Optional<FilePath> directory = directories.computeIfAbsent(path.substring(0, slash), this::walk);
        if (directory.isEmpty()) {
            return directory;
        }
        try {
            FilePath child = directory.get().child(last);
            return tree.get(child).orElse(null) instanceof Inode.Symlink ? walk(path) : Optional.of(child);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<FilePath> walk(String path) {
        try {
            return Optional.of(walk.resolve(path));
        } catch (RefactorException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public List<String> names(FilePath directory) {
        return names.computeIfAbsent(directory, this::list);
    }

    /** The order is depth first, and '/' comes before every other char: so a subtree is skipped by one search. */
    private List<String> list(FilePath directory) {
        List<String> children = new ArrayList<>();
        String prefix = directory.isRoot() ? "" : directory.raw() + "/";
        Iterator<FilePath> paths =
                tree.inodes().tailMap(directory).keySet().stream().skip(1).iterator();
        while (paths.hasNext()) {
            FilePath child = paths.next();
            if (!child.raw().startsWith(prefix)) {
                break;
            }
            children.add(child.name());
            if (tree.get(child).orElse(null) instanceof Inode.Directory) {
                paths = after(child);
            }
        }
        return List.copyOf(children);
    }

    private Iterator<FilePath> after(FilePath directory) {
        if (directory.name().length() >= FilePath.MAX_NAME_BYTES
                || directory.raw().length() >= FilePath.MAX_PATH_BYTES) {
            return tree.inodes().tailMap(directory).keySet().stream()
                    .filter(path -> !path.isAtOrBelow(directory))
                    .iterator();
        }
        return tree.inodes()
                .tailMap(new FilePath(directory.raw() + "\u0001"))
                .keySet()
                .iterator();
    }

    @Override
    public InputStream open(FilePath file) throws IOException {
        if (!(tree.get(file).orElse(null) instanceof Inode.RegularFile regular)) {
            throw new FileNotFoundException("no regular file at " + file);
        }
        return regular.content().isPresent() ? objects.open(regular.content().get()) : InputStream.nullInputStream();
    }
}

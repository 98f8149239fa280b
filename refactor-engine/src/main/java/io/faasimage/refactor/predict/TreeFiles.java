package io.faasimage.refactor.predict;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.flatten.LinkWalk;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** The files of a flattened tree, their contents by digest. The tree must not change meanwhile. */
public final class TreeFiles implements ImageFiles {
    private static final int MAX_LINKS = 40;
    private static final int ANY_EXECUTE = 0111;

    private final FileTree tree;
    private final Objects objects;
    private final LinkWalk walk;
    /** The entries of each directory, by name and in order; the directory by its path, one char per byte. */
    private final Map<String, SequencedMap<String, Inode>> children = new HashMap<>();

    private final Map<String, Optional<FilePath>> directories = new HashMap<>();
    private final Map<FilePath, List<String>> names = new HashMap<>();

    /** A source of the contents of files. */
    @FunctionalInterface
    public interface Objects {
        /** The content from its beginning, whose digest is not verified. */
        InputStream open(Digest digest) throws IOException;
    }

    /** The files of {@code tree}. */
    public TreeFiles(FileTree tree, Objects objects) {
        this.tree = tree;
        this.objects = objects;
        this.walk = new LinkWalk(tree, MAX_LINKS);
        tree.inodes().forEach((path, inode) -> {
            if (!path.isRoot()) {
                int slash = path.raw().lastIndexOf('/');
                children.computeIfAbsent(path.raw().substring(0, Math.max(0, slash)), _ -> new LinkedHashMap<>())
                        .put(path.raw().substring(slash + 1), inode);
            }
        });
    }

    /** Directories are remembered, because most look-ups are for many names in few of them. */
    @Override
    public Optional<ImageEntry> find(String path) {
        int slash = path.lastIndexOf('/');
        String last = path.substring(slash + 1);
        if (slash <= 0 || last.isEmpty() || last.equals(".") || last.equals("..")) {
            return followed(path);
        }
        Optional<FilePath> directory = directories.computeIfAbsent(path.substring(0, slash), this::walk);
        Inode inode = directory.isEmpty() ? null : in(directory.get()).get(last);
        if (inode == null) {
            return Optional.empty();
        }
        return inode instanceof Inode.Symlink
                ? followed(path)
                : entry(directory.get().child(last), inode);
    }

    private Optional<ImageEntry> followed(String path) {
        return walk(path).flatMap(real -> tree.get(real).flatMap(inode -> entry(real, inode)));
    }

    private static Optional<ImageEntry> entry(FilePath path, Inode inode) {
        return switch (inode) {
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
        };
    }

    private SequencedMap<String, Inode> in(FilePath directory) {
        return children.getOrDefault(directory.raw(), Collections.emptySortedMap());
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
        return names.computeIfAbsent(directory, d -> List.copyOf(in(d).keySet()));
    }

    @Override
    public InputStream open(ImageEntry.File file) throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new RefactorException(Kind.CANCELLED, "interrupted at " + file.path());
        }
        return file.content().isEmpty()
                ? InputStream.nullInputStream()
                : objects.open(file.content().get());
    }
}

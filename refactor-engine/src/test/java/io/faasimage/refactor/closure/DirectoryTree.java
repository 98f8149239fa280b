package io.faasimage.refactor.closure;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.image.TreeFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A part of a root file system that is a directory, as the engine sees an image. A file's digest is that of its path,
 * so that large trees need not be read.
 */
final class DirectoryTree {
    private final FileTree tree = new FileTree(Attributes.of(0755, 0, 0, 0, 0));
    private final Map<Digest, Path> contents = new HashMap<>();

    private DirectoryTree() {}

    /** The files at and below {@code places} of a root directory; directories of these names are left out. */
    static ImageFiles of(Path root, List<String> places, Set<String> without) throws IOException {
        DirectoryTree all = new DirectoryTree();
        for (String place : places) {
            if (Files.exists(root.resolve(place), LinkOption.NOFOLLOW_LINKS)) {
                all.parents(root, root.resolve(place));
                all.add(root, root.resolve(place), without);
            }
        }
        return new TreeFiles(all.tree, digest -> Files.newInputStream(all.contents.get(digest)));
    }

    private void parents(Path root, Path place) throws IOException {
        Path at = root;
        for (Path name : root.relativize(place)) {
            at = at.resolve(name);
            if (!at.equals(place) && tree.get(path(root, at)).isEmpty()) {
                tree.put(path(root, at), new Inode.Directory(attributes(at)));
            }
        }
    }

    private void add(Path root, Path place, Set<String> without) throws IOException {
        Files.walkFileTree(place, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                if (without.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                tree.put(path(root, directory), new Inode.Directory(attributes(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes basic) throws IOException {
                FilePath path = path(root, file);
                if (basic.isSymbolicLink()) {
                    String target = Files.readSymbolicLink(file).toString();
                    String bytes = new String(target.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
                    tree.put(path, new Inode.Symlink(attributes(file), bytes));
                } else if (basic.isRegularFile() && basic.size() > 0) {
                    Digest digest = Digest.of(file.toString().getBytes(StandardCharsets.UTF_8));
                    contents.put(digest, file);
                    tree.put(path, Inode.RegularFile.of(attributes(file), basic.size(), digest));
                } else if (basic.isRegularFile()) {
                    tree.put(path, Inode.RegularFile.empty(attributes(file)));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // Removed meanwhile, as the machine is in use.
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static FilePath path(Path root, Path file) {
        return FilePath.ofText(root.relativize(file).toString());
    }

    private static Attributes attributes(Path file) throws IOException {
        PosixFileAttributes attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & 07777;
        return Attributes.of(mode, 0, 0, attributes.lastModifiedTime().toMillis() / 1000, 0);
    }
}

package io.faasimage.builder.tree;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations on a whole tree of files; symbolic links are not followed. */
public final class FileTree {
    private FileTree() {}

    /**
     * Removes a tree, if it is there, relative to the descriptors of its directories: what an installation nests may
     * have a longer path than Linux takes. A directory that lies too deep for a descriptor at each level is moved up
     * first.
     */
    public static void remove(Path top) throws IOException {
        if (!Files.isDirectory(top, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(top);
            return;
        }
        try (SecureDirectoryStream<Path> root = open(top)) {
            new Removal(root).empty();
        }
        Files.deleteIfExists(top);
    }

    /** How one tree is removed. */
    @FunctionalInterface
    public interface Remover {
        /** Removes it. */
        void remove(Path tree) throws IOException;
    }

    /** Removes trees one after the other; one that fails does not keep the others. */
    public static void removeAll(List<Path> trees, Remover remover) throws IOException {
        @Nullable IOException failure = null;
        for (Path tree : trees) {
            try {
                remover.remove(tree);
            } catch (IOException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Opens a directory; the caller closes it. */
    @SuppressWarnings("StreamResourceLeak")
    private static SecureDirectoryStream<Path> open(Path top) throws IOException {
        DirectoryStream<Path> stream = Files.newDirectoryStream(top);
        if (stream instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        stream.close();
        throw new IOException(top + " is on a file system whose directories have no descriptors");
    }

    /** Copies a file, link or tree to {@code to}, which must not be there, with its owner and mode. */
    public static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                return visitFile(directory, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path target = to.resolve(from.relativize(file).toString());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Gives a tree to a user and a group of the same number. */
    public static void own(Path top, int id) throws IOException {
        Files.walkFileTree(top, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                return visitFile(directory, attributes);
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.setAttribute(file, "unix:uid", id, LinkOption.NOFOLLOW_LINKS);
                Files.setAttribute(file, "unix:gid", id, LinkOption.NOFOLLOW_LINKS);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        return directory
                .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }
}

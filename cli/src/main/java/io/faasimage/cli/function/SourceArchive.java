package io.faasimage.cli.function;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** A function's directory as a compressed tar in a temporary file, which {@link #close()} removes. */
public final class SourceArchive implements AutoCloseable {
    /** What is no part of a function: histories, caches, and libraries that the build installs itself. */
    private static final Set<String> LEFT_OUT =
            Set.of(".git", ".hg", ".svn", "__pycache__", "node_modules", ".venv", "venv", ".DS_Store");

    private final Path file;

    private SourceArchive(Path file) {
        this.file = file;
    }

    /** Packs the code in {@code directory}. */
    public static SourceArchive of(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is not a directory; give the one with the function's code");
        }
        SourceArchive archive = new SourceArchive(Files.createTempFile("faasimage-build", ".tar.gz"));
        try {
            archive.write(directory);
            return archive;
        } catch (IOException | RuntimeException e) {
            archive.close();
            throw e;
        }
    }

    /** The archive. */
    public Path file() {
        return file;
    }

    /** Whether a file or directory of this name is no part of a function. */
    public static boolean isLeftOut(Path path) {
        return LEFT_OUT.contains(String.valueOf(path.getFileName()));
    }

    private void write(Path directory) throws IOException {
        try (OutputStream out = new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
                TarArchiveOutputStream tar = new TarArchiveOutputStream(out, StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            tar.setAddPaxHeadersForNonAsciiNames(true);
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes)
                        throws IOException {
                    if (visited.equals(directory)) {
                        return FileVisitResult.CONTINUE;
                    }
                    if (isLeftOut(visited)) {
                        return FileVisitResult.SKIP_SUBTREE;
                    }
                    tar.putArchiveEntry(new TarArchiveEntry(directory.relativize(visited) + "/"));
                    tar.closeArchiveEntry();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path visited, BasicFileAttributes attributes) throws IOException {
                    if (!isLeftOut(visited)) {
                        add(tar, directory.relativize(visited).toString(), visited, attributes);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
    }

    private static void add(TarArchiveOutputStream tar, String name, Path file, BasicFileAttributes attributes)
            throws IOException {
        if (attributes.isSymbolicLink()) {
            TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            entry.setLinkName(Files.readSymbolicLink(file).toString());
            tar.putArchiveEntry(entry);
        } else if (attributes.isRegularFile()) {
            TarArchiveEntry entry = new TarArchiveEntry(name);
            entry.setSize(attributes.size());
            entry.setMode(Files.isExecutable(file) ? 0755 : 0644);
            tar.putArchiveEntry(entry);
            Files.copy(file, tar);
        } else {
            throw new IOException(file
                    + " is a device, a socket or a named pipe; the code of a function may only have"
                    + " files, directories and symbolic links");
        }
        tar.closeArchiveEntry();
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}

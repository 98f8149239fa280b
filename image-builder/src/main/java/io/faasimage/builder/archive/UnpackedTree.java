package io.faasimage.builder.archive;

import io.faasimage.builder.fault.BuildException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A writer of an archive's entries below a directory that no other process writes to. No entry is written through a
 * symbolic link, and none replaces another. Not thread-safe.
 */
final class UnpackedTree {
    private static final int BUFFER = 64 << 10;

    private final Path root;
    private final ArchiveLimits limits;
    private long bytes;
    private int entries;

    UnpackedTree(Path root, ArchiveLimits limits) {
        this.root = root;
        this.limits = limits;
    }

    /** Makes a directory; one that is there stays. */
    void directory(EntryName name) throws IOException {
        count();
        directories(name, name.parts().size());
    }

    /** Writes a file. */
    void file(EntryName name, InputStream content, boolean executable) throws IOException {
        count();
        Path file = place(name);
        byte[] buffer = new byte[BUFFER];
        try (OutputStream out = create(file, name)) {
            for (int n = content.read(buffer); n >= 0; n = content.read(buffer)) {
                bytes += n;
                if (bytes > limits.bytes()) {
                    throw new BuildException(
                            BuildException.Kind.TOO_LARGE,
                            "the archive has more than " + limits.bytes() + " bytes unpacked, at its entry '" + name
                                    + "'; leave out what the function does not need");
                }
                out.write(buffer, 0, n);
            }
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
    }

    /** Makes a symbolic link that stays within the directory. */
    void symbolicLink(EntryName name, String target) throws IOException {
        count();
        if (!name.holds(target)) {
            throw EntryName.refused(name.toString(), "is a symbolic link that leads out of the function's directory");
        }
        try {
            Files.createSymbolicLink(place(name), Path.of(target));
        } catch (FileAlreadyExistsException e) {
            throw twice(name, e);
        }
    }

    /** Copies a file that was unpacked before. */
    void hardLink(EntryName name, EntryName target) throws IOException {
        Path source = root;
        for (String part : target.parts()) {
            source = source.resolve(part);
            if (Files.isSymbolicLink(source)) {
                throw EntryName.refused(name.toString(), "is a link to something behind a symbolic link");
            }
        }
        if (!Files.isRegularFile(source, LinkOption.NOFOLLOW_LINKS)) {
            throw EntryName.refused(name.toString(), "is a link to '" + target + "', which is no file before it");
        }
        try (InputStream in = Files.newInputStream(source)) {
            file(name, in, Files.isExecutable(source));
        }
    }

    private static OutputStream create(Path file, EntryName name) throws IOException {
        try {
            return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw twice(name, e);
        }
    }

    private static BuildException twice(EntryName name, IOException cause) {
        return new BuildException(
                BuildException.Kind.BAD_REQUEST, "the archive's entry '" + name + "' exists twice", cause);
    }

    private Path place(EntryName name) throws IOException {
        if (name.parts().isEmpty()) {
            throw EntryName.refused(".", "is not a directory, but the function's directory is one");
        }
        return resolve(directories(name, name.parts().size() - 1), name.parts().getLast(), name);
    }

    private Path directories(EntryName name, int depth) throws IOException {
        Path directory = root;
        for (String part : name.parts().subList(0, depth)) {
            directory = resolve(directory, part, name);
            if (Files.notExists(directory, LinkOption.NOFOLLOW_LINKS)) {
                count();
                Files.createDirectory(directory);
            } else if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                throw EntryName.refused(name.toString(), "lies below something that is a file or a link");
            }
        }
        return directory;
    }

    private static Path resolve(Path directory, String part, EntryName name) throws BuildException {
        try {
            return directory.resolve(part);
        } catch (InvalidPathException e) {
            throw new BuildException(
                    BuildException.Kind.BAD_REQUEST,
                    "the archive's entry '" + name + "' has a name that this machine does not support",
                    e);
        }
    }

    private void count() throws BuildException {
        if (++entries > limits.entries()) {
            throw new BuildException(
                    BuildException.Kind.TOO_LARGE,
                    "the archive has more than " + limits.entries() + " entries; leave out what the build installs");
        }
    }
}

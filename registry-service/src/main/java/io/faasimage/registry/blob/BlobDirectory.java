package io.faasimage.registry.blob;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A directory of immutable files. A file is there completely, and on the disk, or not at all. Thread-safe, also for
 * writers of the same name, whose content is the same.
 */
public final class BlobDirectory {
    private static final String TEMPORARY = ".new-";

    private final Path directory;

    /** The files in {@code directory}, which exists. */
    public BlobDirectory(Path directory) {
        this.directory = directory;
    }

    /** Where the file of this name is or would be. */
    public Path path(String name) {
        return directory.resolve(name);
    }

    /** Writes a file, syncs it and gives it its name. */
    public void write(String name, byte[] content) throws IOException {
        Path temporary = directory.resolve(TEMPORARY + UUID.randomUUID());
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer rest = ByteBuffer.wrap(content);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
            }
            adopt(temporary, name);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Syncs {@code file}, which is in the same file system, and moves it here under {@code name}. */
    public void adopt(Path file, String name) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(file, path(name), StandardCopyOption.ATOMIC_MOVE);
        sync();
    }

    /** Moves files of the same file system here, each under its name; their content is on the disk already. */
    public void adoptSynced(Map<Path, String> files) throws IOException {
        if (files.isEmpty()) {
            return;
        }
        for (Map.Entry<Path, String> file : files.entrySet()) {
            Files.move(file.getKey(), path(file.getValue()), StandardCopyOption.ATOMIC_MOVE);
        }
        sync();
    }

    private void sync() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Removes a file if it is there. */
    public void delete(String name) throws IOException {
        Files.deleteIfExists(path(name));
    }

    /** The names of all files. */
    public List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, Files::isRegularFile)) {
            files.forEach(file -> names.add(String.valueOf(file.getFileName())));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** Removes what writers left behind that were killed; only when none is at work. */
    public void sweep() throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, TEMPORARY + "*")) {
            for (Path file : left) {
                Files.deleteIfExists(file);
            }
        }
    }
}

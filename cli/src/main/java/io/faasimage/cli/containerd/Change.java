package io.faasimage.cli.containerd;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * One file that is written, changed or removed.
 *
 * @param file which
 * @param before its text; empty when it does not exist
 * @param after what it is to have; empty when it is to go
 */
public record Change(Path file, Optional<String> before, Optional<String> after) {
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** Does it; flushed when it returns. */
    public void apply() throws IOException {
        put(after);
    }

    /** Reverts what {@link #apply} did. */
    public void undo() throws IOException {
        put(before);
    }

    /** At no moment is half a file there; what a kill leaves, the next change of the file overwrites. */
    private void put(Optional<String> text) throws IOException {
        if (text.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        // A name that ends in .toml would be imported meanwhile.
        Path temporary = file.resolveSibling("." + file.getFileName() + ".new");
        try {
            write(temporary, text.get());
            Files.setPosixFilePermissions(
                    temporary, Files.exists(file) ? Files.getPosixFilePermissions(file) : READABLE);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void write(Path file, String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        Files.deleteIfExists(file);
        try (FileChannel channel = FileChannel.open(file, Set.of(CREATE_NEW, WRITE), OWNER_ONLY)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** What it does, in one line. */
    public String describe() {
        String verb = before.isEmpty() ? "write" : after.isEmpty() ? "remove" : "change";
        return verb + " " + file;
    }
}

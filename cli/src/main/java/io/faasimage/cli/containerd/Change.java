package io.faasimage.cli.containerd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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

    void apply() throws IOException {
        put(after);
    }

    void undo() throws IOException {
        put(before);
    }

    /** At no moment is half a file there. */
    private void put(Optional<String> text) throws IOException {
        if (text.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        // A name that ends in .toml would be imported meanwhile.
        Path temporary = Files.createTempFile(file.toAbsolutePath().getParent(), ".faasimage-", ".new");
        try {
            Files.writeString(temporary, text.get());
            Files.setPosixFilePermissions(
                    temporary, Files.exists(file) ? Files.getPosixFilePermissions(file) : READABLE);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** What it does, in one line. */
    public String describe() {
        String verb = before.isEmpty() ? "write" : after.isEmpty() ? "remove" : "change";
        return verb + " " + file;
    }
}

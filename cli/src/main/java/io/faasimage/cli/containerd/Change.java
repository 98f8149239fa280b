package io.faasimage.cli.containerd;

import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A change of one file: it is written, changed or removed.
 *
 * @param file the file
 * @param before its text; empty when it does not exist
 * @param after its text afterwards; empty when it is to be removed
 */
public record Change(Path file, Optional<String> before, Optional<String> after) {
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");

    /** Applies it; flushed when it returns. */
    public void apply() throws IOException {
        put(after);
    }

    /** Reverts {@link #apply}. */
    public void undo() throws IOException {
        put(before);
    }

    /**
     * At no moment is half a file there, or one that containerd would import: the temporary one's name does not end in
     * .toml. The next change removes the remains of a killed one.
     */
    private void put(Optional<String> text) throws IOException {
        if (text.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "the root directory is no file");
        Files.createDirectories(directory);
        AtomicFile.sweep(directory);
        Set<PosixFilePermission> permissions = Files.exists(file) ? Files.getPosixFilePermissions(file) : READABLE;
        AtomicFile.publishSynced(
                file,
                out -> out.write(text.get().getBytes(StandardCharsets.UTF_8)),
                PosixFilePermissions.asFileAttribute(permissions));
    }

    /** Its effect, in one line. */
    public String describe() {
        String verb = before.isEmpty() ? "write" : after.isEmpty() ? "remove" : "change";
        return verb + " " + file;
    }
}

package io.faasimage.store;

import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A note in the store's root: in this boot of the machine every object is either on the disk or still has its name in
 * {@code incoming/}. A damaged note counts as none.
 *
 * @param boot the kernel's boot id
 */
record Checkpoint(String boot) {
    private static final String MAGIC = "faasimage-store 1";

    static Optional<Checkpoint> read(Path file) throws IOException {
        List<String> lines;
        try {
            lines = List.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (lines.size() == 3 && lines.get(0).equals(MAGIC) && lines.get(2).isEmpty()) {
            return Optional.of(new Checkpoint(lines.get(1)));
        }
        return Optional.empty();
    }

    /** Notes this boot in {@code file}. */
    static void write(String boot, Path file) throws IOException {
        byte[] text = (MAGIC + "\n" + boot + "\n").getBytes(StandardCharsets.ISO_8859_1);
        AtomicFile.publishSynced(file, out -> out.write(text));
    }
}

package io.faasimage.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A note in the store's root: up to {@code time} everything is known to be on the disk, and no other boot of the machine
 * than {@code boot} has written since. A damaged note counts as none.
 *
 * @param boot the kernel's boot id
 * @param time when the flush that it records began, or an earlier time
 */
record Checkpoint(String boot, Instant time) {
    private static final String MAGIC = "faasimage-store 1";

    static Optional<Checkpoint> read(Path file) throws IOException {
        List<String> lines;
        try {
            lines = List.of(Files.readString(file, StandardCharsets.ISO_8859_1).split("\n", -1));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (lines.size() != 4 || !lines.get(0).equals(MAGIC) || !lines.get(3).isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Checkpoint(lines.get(1), Instant.parse(lines.get(2))));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Replaces {@code file} atomically; {@code writer} keeps writers apart. */
    void write(Path file, String writer) throws IOException {
        Path temp = file.resolveSibling(file.getFileName() + "." + writer);
        byte[] text = (MAGIC + "\n" + boot + "\n" + time + "\n").getBytes(StandardCharsets.ISO_8859_1);
        try (FileChannel channel = FileChannel.open(
                temp, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}

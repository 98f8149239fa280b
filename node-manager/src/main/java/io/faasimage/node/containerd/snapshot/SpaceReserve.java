package io.faasimage.node.containerd.snapshot;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/** A file that takes space on the disk until it is needed: removals can then be recorded on a full disk, too. */
final class SpaceReserve {
    private static final int PIECE = 64 << 10;

    private final Path file;
    private final long bytes;

    SpaceReserve(Path file, long bytes) {
        this.file = file;
        this.bytes = bytes;
    }

    /** Whether the space is taken, and so can be released. */
    boolean isFilled() throws IOException {
        return Files.exists(file) && Files.size(file) >= bytes;
    }

    /** Takes the space; without effect while the disk has none. */
    void fill() throws IOException {
        if (isFilled()) {
            return;
        }
        byte[] piece = new byte[PIECE];
        new Random(1).nextBytes(piece); // so that no file system compresses it
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            while (channel.position() < bytes) {
                channel.write(ByteBuffer.wrap(piece));
            }
        } catch (IOException e) {
            Files.deleteIfExists(file); // the disk is full, or nearly so
        }
    }

    /** Releases the space; false when none was reserved. */
    boolean release() throws IOException {
        return Files.deleteIfExists(file);
    }
}

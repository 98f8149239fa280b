package io.faasimage.node.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Publishes small files so that whoever looks sees either the whole file or none: write, rename. Synced, the same holds after
 * a crash of the machine; otherwise what is found then has to be verified.
 */
final class AtomicFile {
    private static final String TEMPORARY = ".tmp-";

    private AtomicFile() {}

    /** Writes a file's content. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Publishes {@code content} at {@code target}, and waits until the disk has it. */
    static void publishSynced(Path target, Content content) throws IOException {
        publish(target, content, true);
    }

    /** Publishes {@code content} at {@code target}, replacing what is there; nothing is left behind on failure. */
    static void publish(Path target, Content content) throws IOException {
        publish(target, content, false);
    }

    private static void publish(Path target, Content content, boolean synced) throws IOException {
        Path directory = directoryOf(target);
        Path temporary = directory.resolve(TEMPORARY + UUID.randomUUID());
        try {
            try (FileChannel channel =
                    FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                OutputStream out = Channels.newOutputStream(channel);
                content.writeTo(out);
                out.flush();
                if (synced) {
                    channel.force(true);
                }
            }
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        if (synced) {
            sync(directory);
        }
    }

    /** Removes what a crash left in {@code directory}. */
    static void sweep(Path directory) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, TEMPORARY + "*")) {
            for (Path path : left) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Copies {@code in} to {@code out} but at most {@code limit} bytes; answers how many. */
    static long copyAtMost(InputStream in, OutputStream out, long limit) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        long total = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            total += n;
            if (total > limit) {
                throw new IOException("more than the " + limit + " bytes that were announced");
            }
            out.write(buffer, 0, n);
        }
        return total;
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path directoryOf(Path target) {
        Path parent = target.getParent();
        if (parent == null) {
            throw new IllegalArgumentException("not below a directory: " + target);
        }
        return parent;
    }
}

package io.faasimage.node.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Publishes small files so that whoever looks sees either the whole file or none: write, rename. Synced, the same holds
 * after a crash of the machine; otherwise what is found then has to be verified.
 */
final class AtomicFile {
    private static final Logger LOG = System.getLogger(AtomicFile.class.getName());
    private static final String TEMPORARY = ".tmp-";

    /** One thread, while there is something to sync. */
    private static final Executor SYNCS = new ThreadPoolExecutor(
            0,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("file-sync").daemon().factory());

    private AtomicFile() {}

    /** Writes a file's content. */
    interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    /** Publishes {@code content} at {@code target}, and waits until the disk has it. */
    static void publishSynced(Path target, Content content) throws IOException {
        publish(target, content, true);
    }

    /** Publishes {@code content} at {@code target}; the disk has it soon, and nobody waits for that (decision 5). */
    static void publishAndSync(Path target, Content content) throws IOException {
        publish(target, content);
        SYNCS.execute(() -> {
            try {
                sync(target);
                sync(directoryOf(target));
            } catch (NoSuchFileException e) {
                LOG.log(Level.DEBUG, "removed before it was synced: " + target);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "not synced, and may be lost with a crash of the machine: " + target, e);
            }
        });
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

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
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

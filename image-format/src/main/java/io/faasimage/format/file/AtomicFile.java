package io.faasimage.format.file;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Publication of a small file: written under a temporary name beside {@code target} and renamed, so a reader sees
 * either the whole content or the previous one. Synced, the same holds after a crash of the machine; otherwise a file
 * found after a crash has to be verified. Thread-safe; of several writers of the same file the last one wins.
 */
public final class AtomicFile {
    private static final Logger LOG = System.getLogger(AtomicFile.class.getName());
    private static final String TEMPORARY = ".tmp-";
    private static final Set<OpenOption> NEW = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

    /** One thread, while there is something to sync. */
    private static final Executor SYNCS = new ThreadPoolExecutor(
            0,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name("file-sync").daemon().factory());

    private AtomicFile() {}

    /** The content of a file. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of it; called once, on the thread of the publication. */
        void writeTo(OutputStream out) throws IOException;
    }

    /**
     * Publishes {@code content} at {@code target}, and waits until the disk has it.
     *
     * @param attributes of the new file, such as its permissions, which the umask does not narrow
     */
    public static void publishSynced(Path target, Content content, FileAttribute<?>... attributes) throws IOException {
        publish(target, content, true, attributes);
    }

    /** Publishes {@code content} at {@code target} without waiting for the disk, which has it soon (decision 5). */
    public static void publishAndSync(Path target, Content content) throws IOException {
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

    /** Publishes {@code content} at {@code target}, replacing any previous file; leaves nothing behind on failure. */
    public static void publish(Path target, Content content) throws IOException {
        publish(target, content, false);
    }

    private static void publish(Path target, Content content, boolean synced, FileAttribute<?>... attributes)
            throws IOException {
        Path directory = directoryOf(target);
        Path temporary = directory.resolve(TEMPORARY + UUID.randomUUID());
        try {
            try (FileChannel channel = FileChannel.open(temporary, NEW, attributes)) {
                OutputStream out = Channels.newOutputStream(channel);
                content.writeTo(out);
                out.flush();
                for (FileAttribute<?> attribute : attributes) {
                    Files.setAttribute(temporary, attribute.name(), attribute.value());
                }
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

    /** Makes {@code target} one more name of the file {@code existing}, replacing any previous file. */
    public static void link(Path existing, Path target) throws IOException {
        Path temporary = directoryOf(target).resolve(TEMPORARY + UUID.randomUUID());
        try {
            Files.createLink(temporary, existing);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Removes the temporary files in {@code directory} of publications that a crash interrupted. */
    public static void sweep(Path directory) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(directory, TEMPORARY + "*")) {
            for (Path path : left) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static Path directoryOf(Path target) {
        return Objects.requireNonNull(target.toAbsolutePath().getParent(), "the root directory is no file");
    }
}

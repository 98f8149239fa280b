package io.faasimage.refactor;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Files that appear in a directory together, when all are complete, or not at all. For one thread. */
final class OutputFiles implements Closeable {
    private static final int PARALLEL_SYNCS = 16;

    private final Path directory;
    private final String prefix = ".part-" + UUID.randomUUID() + "-";
    private final List<Path> begun = new ArrayList<>();
    private final Map<Path, Path> named = new LinkedHashMap<>();

    OutputFiles(Path directory) {
        this.directory = directory;
    }

    /** The path of a new file, not made yet. */
    Path begin() {
        Path part = directory.resolve(prefix + begun.size());
        begun.add(part);
        return part;
    }

    /** Sets the name under which {@code part} will appear. */
    Path name(Path part, String name) {
        Path target = directory.resolve(name);
        named.put(part, target);
        return target;
    }

    /** Syncs all files that have a name and makes them appear. */
    void publish() throws IOException {
        sync();
        for (Map.Entry<Path, Path> file : named.entrySet()) {
            Files.move(file.getKey(), file.getValue(), StandardCopyOption.ATOMIC_MOVE);
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private void sync() throws IOException {
        try (ExecutorService syncs = Executors.newFixedThreadPool(
                PARALLEL_SYNCS, Thread.ofVirtual().name("sync-", 0).factory())) {
            List<Future<Path>> files = new ArrayList<>();
            for (Path part : named.keySet()) {
                files.add(syncs.submit(() -> {
                    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                        channel.force(true);
                    }
                    return part;
                }));
            }
            for (Future<Path> file : files) {
                file.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("could not sync " + directory + ": " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while syncing " + directory, e);
        }
    }

    /** Removes the files that have not appeared. */
    @Override
    public void close() throws IOException {
        for (Path part : begun) {
            Files.deleteIfExists(part);
        }
    }
}

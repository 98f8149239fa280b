package io.faasimage.cli.development;

import io.faasimage.cli.function.SourceArchive;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The watch over a function's directory. It notices changes of what belongs to the function, by inotify; an event after
 * which all files have the same sizes and times, or one in a directory that is left out, is none. Not thread-safe.
 */
final class SourceWatch implements AutoCloseable {
    /** Editors write a file in several steps, and often several files. */
    private static final Duration QUIET = Duration.ofMillis(40);
    /** Where something is written all the time, changes are taken as they are after this time. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Path directory;
    private final WatchService events;
    private Map<Path, FileState> seen;

    /** What of a file tells one version from another. */
    private record FileState(long size, FileTime modified, boolean link, boolean program) {}

    private SourceWatch(Path directory, WatchService events) throws IOException {
        this.directory = directory;
        this.events = events;
        this.seen = scan();
    }

    /** Watches {@code directory} from now on. */
    static SourceWatch of(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new IOException(directory + " is not a directory; give the one with the function's code");
        }
        WatchService events = FileSystems.getDefault().newWatchService();
        try {
            return new SourceWatch(directory, events);
        } catch (IOException | RuntimeException e) {
            events.close();
            throw e;
        }
    }

    /**
     * Waits for a change since the last one that was returned, and until nothing has changed for a moment.
     *
     * @return when its first event came, by {@link System#nanoTime}
     */
    long await() throws IOException {
        try {
            while (true) {
                WatchKey key = events.take();
                long first = System.nanoTime();
                while (key != null && System.nanoTime() - first < PATIENCE.toNanos()) {
                    drain(key);
                    key = events.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS);
                }
                if (key != null) {
                    drain(key);
                }
                Map<Path, FileState> now = scan();
                if (!now.equals(seen)) {
                    seen = now;
                    return first;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while watching " + directory);
        }
    }

    private static void drain(WatchKey key) {
        key.pollEvents();
        key.reset();
    }

    /** The files that belong to the function; watches all directories on the way, of which some may be new. */
    private Map<Path, FileState> scan() throws IOException {
        Map<Path, FileState> files = new HashMap<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) throws IOException {
                if (!visited.equals(directory) && SourceArchive.isLeftOut(visited)) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                watch(visited);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path visited, BasicFileAttributes attributes) {
                if (!SourceArchive.isLeftOut(visited)) {
                    files.put(
                            visited,
                            new FileState(
                                    attributes.size(),
                                    attributes.lastModifiedTime(),
                                    attributes.isSymbolicLink(),
                                    Files.isExecutable(visited)));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path visited, IOException failure) throws IOException {
                // It was removed meanwhile, of which an event tells.
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }
        });
        return files;
    }

    private void watch(Path visited) throws IOException {
        try {
            visited.register(
                    events,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
        } catch (NoSuchFileException e) {
            // Removed meanwhile.
            return;
        }
    }

    @Override
    public void close() {
        try {
            events.close();
        } catch (IOException e) {
            throw new UncheckedIOException("could not end the watch over " + directory, e);
        }
    }
}

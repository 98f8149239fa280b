package io.faasimage.registry.images.child;

import io.faasimage.format.file.AtomicFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The ahead-of-time cache of children, beside the service's: {@code refactor-child.aot}. Where there is none of this
 * build and the directory can be written to, the next child that makes a plan writes it, which takes some ten seconds.
 * Without one, everything works, and takes longer. Thread-safe.
 *
 * @param cache a file in the directory that the launcher names
 */
record ChildCache(Path cache) {
    /** How long a JVM takes at most to write the cache. */
    static final long TRAINING_SECONDS = 120;

    /** Empty where the launcher named no directory. */
    static Optional<ChildCache> find() {
        return Optional.ofNullable(System.getProperty("launch.caches"))
                .map(directory -> new ChildCache(Path.of(directory, "refactor-child.aot")));
    }

    /** Whether the cache is newer than everything on the class path. */
    boolean isUsable() {
        long made = cache.toFile().lastModified();
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .allMatch(jar -> new File(jar).lastModified() < made);
    }

    boolean isWritable() {
        return Files.isWritable(cache.toAbsolutePath().getParent());
    }

    /** Takes a file that a child has written, or has failed to write. */
    void take(Path written) throws IOException {
        if (Files.exists(written)) {
            AtomicFile.publish(cache, out -> Files.copy(written, out));
        }
    }
}

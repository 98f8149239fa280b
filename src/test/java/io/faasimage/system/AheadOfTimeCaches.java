package io.faasimage.system;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The JVM's ahead-of-time caches of the programs that clusters run, as an installation has them: with them a program
 * starts in half the processor time. Made once for a build, by whichever test JVM comes first.
 */
final class AheadOfTimeCaches {
    /** What makes a program write its cache when it ends. */
    static final Map<String, String> TRAINING = Map.of("FAASIMAGE_TRAIN", "1");

    private static final List<String> MODULES = List.of("registry-service", "node-manager", "fuse-node", "cli");
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static boolean made;

    private AheadOfTimeCaches() {}

    /** Makes those that are missing or of an earlier build, by one run of all programs. */
    static synchronized void make() throws IOException, InterruptedException {
        if (made) {
            return;
        }
        try (FileChannel file = FileChannel.open(
                        Path.of("target/aot.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            if (lock.isValid() && !areUsable()) {
                for (String module : MODULES) {
                    Files.deleteIfExists(cache(module));
                }
                train();
            }
        }
        made = true;
    }

    private static void train() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.start(ClusterOptions.training())) {
            cluster.faasimage("doctor");
        }
        Wait.until(LIMIT, "the ahead-of-time caches", AheadOfTimeCaches::areUsable);
    }

    private static Path cache(String module) {
        return target(module).resolve(module + ".aot");
    }

    private static Path target(String module) {
        return Path.of("../..", module, "target").toAbsolutePath().normalize();
    }

    private static boolean areUsable() throws IOException {
        for (String module : MODULES) {
            if (!isUsable(module)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUsable(String module) throws IOException {
        Path cache = cache(module);
        // As the launcher does, which leaves a cache alone that is older than one of the jars.
        try (Stream<Path> files = Files.list(target(module));
                Stream<Path> libraries = Files.list(target(module).resolve("lib"))) {
            Optional<FileTime> built = Stream.concat(files, libraries)
                    .filter(file -> file.toString().endsWith(".jar"))
                    .map(AheadOfTimeCaches::modified)
                    .max(FileTime::compareTo);
            // The configuration stays until the cache is written.
            return Files.exists(cache)
                    && !Files.exists(Path.of(cache + ".config"))
                    && modified(cache).compareTo(built.orElseThrow()) > 0;
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

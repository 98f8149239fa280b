package io.faasimage.testing;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The JVM's ahead-of-time caches of the programs that tests start, as an installation has them: with them a program
 * starts in two thirds of the processor time. Made once for a build, by whichever test JVM comes first.
 */
public final class AheadOfTimeCaches {
    /** Environment of a program that writes its cache when it ends. */
    public static final Map<String, String> TRAINING = Map.of("FAASIMAGE_TRAIN", "1");

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Set<String> MADE = new HashSet<>();

    private AheadOfTimeCaches() {}

    /** A run of programs that write their caches. */
    public interface Training {
        /** Starts them and ends them. */
        void run() throws IOException, InterruptedException;
    }

    /** Makes those of {@code modules} that are missing or of an earlier build, by one run of the programs. */
    public static synchronized void make(Collection<String> modules, Training training)
            throws IOException, InterruptedException {
        if (MADE.containsAll(modules)) {
            return;
        }
        Path target = Files.createDirectories(Sources.root().resolve("target"));
        try (FileChannel file = FileChannel.open(
                        target.resolve("aot.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            if (lock.isValid() && !areUsable(modules)) {
                training.run();
                Wait.until(LIMIT, "the ahead-of-time caches", () -> areUsable(modules));
            }
        }
        MADE.addAll(modules);
    }

    private static boolean areUsable(Collection<String> modules) throws IOException {
        for (String module : modules) {
            if (!isUsable(module)) {
                return false;
            }
        }
        return true;
    }

    /** Whether a program has its cache. */
    public static boolean isUsable(String module) throws IOException {
        Path target = Sources.root().resolve(module).resolve("target");
        Path cache = target.resolve(module + ".aot");
        // The configuration stays until the cache is written.
        if (!Files.exists(cache) || Files.exists(Path.of(cache + ".config"))) {
            return false;
        }
        // As the launcher does, which leaves a cache alone that is older than one of the jars.
        FileTime made = Files.getLastModifiedTime(cache);
        for (Path directory : List.of(target, target.resolve("lib"))) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path jar :
                        files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                    if (Files.getLastModifiedTime(jar).compareTo(made) >= 0) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}

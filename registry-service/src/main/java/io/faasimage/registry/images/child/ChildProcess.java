package io.faasimage.registry.images.child;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageLocation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/** One child while it runs, from its start to its end. Its output goes to the service's log. */
final class ChildProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChildProcess.class);

    /** Memory of a child beyond its heap: code, threads, and the buffers of zstd (decision 49). */
    private static final DataSize BESIDES = DataSize.ofMegabytes(384);

    /** The status of a process that was killed, as Java reports it. */
    private static final int KILLED = 128 + 9;

    private static final int LINE_CHARS = 2000;
    private static final List<String> INHERITED = List.of("PATH", "LANG", "LC_ALL", "TZ");

    /** More of it while a cache is written. */
    private static final DataSize TRAINING = DataSize.ofMegabytes(512);

    /** Flags of the service that hold for its children: when compilers begin. */
    private static final List<String> COMPILERS = List.of("-XX:Tier", "-XX:CompileCommand=");

    private final Process process;
    private final DataSize memory;
    private final Path temporary;
    /** The cache that this child writes. */
    private final Optional<ChildCache> trained;

    private final ChildPipe pipe;
    /** Whether the JVM writes the cache, about which it says much. */
    private volatile boolean trains;

    private ChildProcess(Process process, DataSize memory, Path temporary, Optional<ChildCache> trained) {
        this.process = process;
        this.memory = memory;
        this.temporary = temporary;
        this.trained = trained;
        this.pipe = new ChildPipe(process.getInputStream(), process.getOutputStream());
    }

    /**
     * Starts a child.
     *
     * @param memory its heap
     * @param isShort whether it lives for some seconds, in which the optimizing compiler takes more than it gives
     * @param temporary a directory for its temporary files, which must not exist and is removed
     */
    static ChildProcess start(DataSize memory, boolean isShort, Path temporary) throws IOException {
        Files.createDirectory(temporary);
        Optional<ChildCache> cache = ChildCache.find();
        Optional<ChildCache> usable = cache.filter(ChildCache::isUsable);
        Optional<ChildCache> trained = usable.isPresent() ? Optional.empty() : cache.filter(ChildCache::isWritable);
        List<String> flags = new ArrayList<>();
        usable.ifPresent(used -> flags.add("-XX:AOTCache=" + used.cache()));
        trained.ifPresent(_ -> flags.add("-XX:AOTCacheOutput=" + cache(temporary)));
        if (isShort) {
            flags.add("-XX:TieredStopAtLevel=1");
        }
        long limit = memory.toKilobytes() + BESIDES.toKilobytes() + (trained.isPresent() ? TRAINING.toKilobytes() : 0);
        ProcessBuilder builder = new ProcessBuilder(command(memory, limit, flags, temporary));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.put("MALLOC_ARENA_MAX", "2");
        ChildProcess child = new ChildProcess(builder.start(), memory, temporary, trained);
        Thread.ofPlatform().daemon().name("child-" + child.process.pid()).start(child::log);
        return child;
    }

    /** The kernel counts the memory that a process may write to and does not share: RLIMIT_DATA of setrlimit(2). */
    private static List<String> command(DataSize memory, long limit, List<String> flags, Path temporary) {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", "ulimit -d \"$0\" && exec \"$@\"", String.valueOf(limit)));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> COMPILERS.stream().anyMatch(argument::startsWith))
                .forEach(command::add);
        command.addAll(List.of(
                "-Xmx" + memory.toKilobytes() + "k",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:-UsePerfData",
                "-Xlog:disable",
                "-Xlog:all=error,aot*=off:stderr",
                "-XX:+DisplayVMOutputToStderr",
                "-XX:+ErrorFileToStderr",
                "-XX:-CreateCoredumpOnCrash",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%6$s%n",
                "-Djava.io.tmpdir=" + temporary));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildProgram.class.getName()));
        return command;
    }

    private static Path cache(Path temporary) {
        return temporary.resolve("child.aot");
    }

    private void log() {
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8), LINE_CHARS)) {
            StringBuilder line = new StringBuilder();
            for (int c = lines.read(); c >= 0; c = lines.read()) {
                if (!Character.isISOControl(c)) {
                    line.append((char) c);
                }
                if (c == '\n' || line.length() == LINE_CHARS) {
                    LOG.atLevel(trains ? Level.DEBUG : Level.WARN).log("process {} of a job: {}", process.pid(), line);
                    line.setLength(0);
                }
            }
        } catch (IOException e) {
            LOG.debug("the output of process {} ends", process.pid(), e);
        }
    }

    ChildPipe pipe() {
        return pipe;
    }

    long pid() {
        return process.pid();
    }

    /** Why a child ended that did not say so itself; waits for its end. */
    RefactorException death(ImageLocation image) {
        int status;
        try {
            status = process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new RefactorException(Kind.CANCELLED, "interrupted", e);
        }
        return switch (status) {
            case ChildProgram.OUT_OF_MEMORY ->
                new RefactorException(
                        Kind.LIMIT,
                        "refactoring " + image + " takes more memory than the " + memory.toMegabytes()
                                + " MB of its process; --faasimage.refactor.memory raises it for images that are"
                                + " trusted");
            case KILLED ->
                new RefactorException(
                        Kind.UNAVAILABLE,
                        "the process that refactored " + image + " was killed; if its machine ran out of memory,"
                                + " --faasimage.refactor.memory and --faasimage.workers say what jobs may take");
            default ->
                new RefactorException(
                        Kind.LOCAL,
                        "the process that refactored " + image + " ended with status " + status
                                + "; the service's log has its last words. If it could not get memory,"
                                + " --faasimage.refactor.memory raises what it may have");
        };
    }

    /** Waits for the cache if this child, which has done its work, writes one. */
    void train() throws IOException {
        if (trained.isPresent()) {
            trains = true;
            process.onExit()
                    .orTimeout(ChildCache.TRAINING_SECONDS, TimeUnit.SECONDS)
                    .exceptionally(_ -> process)
                    .join();
            trained.get().take(cache(temporary));
        }
    }

    /** Kills the process if it still runs, waits for its end, and removes its temporary files. */
    @Override
    public void close() {
        process.destroyForcibly();
        boolean interrupted = false;
        while (true) {
            try {
                process.waitFor();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        try {
            FileSystemUtils.deleteRecursively(temporary);
        } catch (IOException e) {
            LOG.warn("could not remove {}; it goes when the service starts again: {}", temporary, e.toString());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package io.faasimage.docker.log;

import io.faasimage.linux.NamedPipes;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The pipes into which containers print, and the threads that bring it from there to the logs; two for each container
 * that has a task. A pipe outlives its reader: containerd's shim holds both ends, so that a new daemon goes on where
 * the last one ended. Thread-safe.
 */
public final class OutputPipes {
    private static final Logger LOG = System.getLogger(OutputPipes.class.getName());
    private static final long LIMIT_BYTES = 1L << 30;
    private static final int STACK_BYTES = 256 << 10;
    private static final Duration DRAIN = Duration.ofSeconds(5);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final List<String> STREAMS = List.of("stdout", "stderr");

    private final ConcurrentMap<Path, Pumps> running = new ConcurrentHashMap<>();

    private record Pumps(LogFile log, List<Thread> threads) {}

    /** The pipe of a stream in a container's directory. */
    public static Path pipe(Path directory, String stream) {
        return directory.resolve(stream);
    }

    /** Makes the pipes of a container in {@code directory}. */
    public void make(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (String stream : STREAMS) {
            Files.deleteIfExists(pipe(directory, stream));
            NamedPipes.make(pipe(directory, stream));
        }
    }

    /** Begins to bring what comes from the pipes in {@code directory} to the log {@code file}. */
    public void start(Path directory, Path file) throws IOException {
        LogFile log = LogFile.open(file, Clock.systemUTC(), LIMIT_BYTES);
        List<Thread> threads = new ArrayList<>();
        for (String stream : STREAMS) {
            threads.add(new Thread(null, () -> pump(pipe(directory, stream), stream, log), "log", STACK_BYTES));
        }
        running.put(directory, new Pumps(log, threads));
        threads.forEach(thread -> {
            thread.setDaemon(true);
            thread.start();
        });
    }

    private static void pump(Path pipe, String stream, LogFile log) {
        try (FileInputStream in = new FileInputStream(pipe.toFile())) {
            new LogPump(stream, log).pump(in);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the output at " + pipe + " is lost from here on", e);
        }
    }

    /** Ends the threads of a container whose task has gone, after they have read what there is. */
    public void stop(Path directory) throws IOException {
        Pumps pumps = running.remove(directory);
        if (pumps == null) {
            return;
        }
        try {
            for (int i = 0; i < STREAMS.size(); i++) {
                end(pumps.threads().get(i), pipe(directory, STREAMS.get(i)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            pumps.log().close();
        }
    }

    private static void end(Thread thread, Path pipe) throws IOException, InterruptedException {
        long end = System.nanoTime() + DRAIN.toNanos();
        while (!thread.join(STEP) && System.nanoTime() < end) {
            // It may wait for somebody to open the pipe: somebody does, and closes it again.
            new RandomAccessFile(pipe.toFile(), "rw").close();
        }
        if (thread.isAlive()) {
            LOG.log(Level.WARNING, "somebody still holds {0} open", pipe);
        }
    }
}

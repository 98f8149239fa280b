package io.faasimage.bench.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A measured start of a container by commands, up to its first correct answer. One at a time, on the caller's thread.
 *
 * <p>In the commands {@code {image}}, {@code {id}} and {@code {port}} stand for the image, the container's name and the
 * port it must serve.
 */
public final class ContainerStart {
    private final Commands commands;
    private final int port;
    private final Duration limit;
    private int started;

    /**
     * Starts of containers that serve {@code port}.
     *
     * @param limit for the first answer
     */
    public ContainerStart(Commands commands, int port, Duration limit) {
        this.commands = commands;
        this.port = port;
        this.limit = limit;
    }

    /**
     * The commands of one system.
     *
     * @param pull gets the image; empty when it is present
     * @param start returns when the container runs
     * @param stop removes the container and its snapshot
     */
    public record Steps(List<String> pull, List<String> start, List<String> stop) {
        /** Copies the commands. */
        public Steps {
            pull = List.copyOf(pull);
            start = List.copyOf(start);
            stop = List.copyOf(stop);
        }
    }

    /**
     * The image to start, and its answer.
     *
     * @param image reference
     * @param path that is requested
     * @param expected text that the answer must contain; any answer when empty
     */
    public record Target(String image, String path, String expected) {}

    /** An observer of a container that has just answered. */
    public interface Observer<T> {
        /** The observation. */
        T observe(StartTimes times) throws IOException, InterruptedException;
    }

    /**
     * Pulls, starts, waits for the first answer, lets {@code observer} look, and removes the container.
     *
     * @throws IOException when a command fails or no right answer comes in time
     */
    public <T> T run(Steps steps, Target target, Observer<T> observer) throws IOException, InterruptedException {
        HttpProbe probe = new HttpProbe(port, target.path(), target.expected());
        if (probe.isTaken()) {
            throw new IOException("port " + port + " already answers: a container of an earlier run is still there, or"
                    + " another program; stop it or choose another port");
        }
        Map<String, String> values = Map.of(
                "image", target.image(),
                "id", "bench-%d-%d".formatted(ProcessHandle.current().pid(), ++started),
                "port", Integer.toString(port));
        long begin = System.nanoTime();
        commands.run(Commands.fill(steps.pull(), values));
        long pulled = steps.pull().isEmpty() ? begin : System.nanoTime();
        T observed;
        try {
            commands.run(Commands.fill(steps.start(), values));
            long running = System.nanoTime();
            long answered = probe.awaitAnswer(limit);
            observed = observer.observe(StartTimes.between(begin, pulled, running, answered));
        } catch (IOException e) {
            removeAfter(e, Commands.fill(steps.stop(), values));
            throw e;
        }
        commands.run(Commands.fill(steps.stop(), values));
        return observed;
    }

    /** Removes the remains of a failed start; a removal that fails must not hide why the start failed. */
    private void removeAfter(IOException failure, List<String> stop) throws InterruptedException {
        try {
            commands.run(stop);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }
}

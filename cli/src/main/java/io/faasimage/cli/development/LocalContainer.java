package io.faasimage.cli.development;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.cli.containerd.Ctr;
import io.faasimage.cli.terminal.Printable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A container of this machine's containerd in the host's network: the node agent pulls the image, {@code ctr} starts it
 * and passes on what it prints. The port is free while a version is replaced.
 */
final class LocalContainer implements Deployment {
    /** The port that built functions listen on by themselves. */
    static final int PORT = 8080;

    private static final int END_SECONDS = 10;

    private final ControlClient node;
    private final Ctr ctr;
    private final String snapshotter;
    private final String prefix;
    private final int port;
    private final String path;
    private final PrintWriter log;
    private final FirstAnswer answer = new FirstAnswer();
    private int started;
    private volatile @Nullable Running running;

    private record Running(String id, Process client) {}

    /**
     * Starts containers of {@code function}.
     *
     * @param path that is requested until it answers
     * @param log takes what the function prints
     */
    LocalContainer(
            ControlClient node, Ctr ctr, String snapshotter, String function, int port, String path, PrintWriter log) {
        this.node = node;
        this.ctr = ctr;
        this.snapshotter = snapshotter;
        this.prefix = "faasimage-dev-" + function + "-";
        this.port = port;
        this.path = path;
        this.log = log;
    }

    @Override
    public Deployed deploy(String image, CycleClock clock) throws IOException {
        PullOutcome pull = node.call(NodeOperations.PULL, new PullRequest(image, ctr.namespace(), false));
        clock.end("pull");
        end();
        Running container = start(image);
        running = container;
        URI address = URI.create("http://127.0.0.1:" + port + path);
        answer.await(address, () -> checkRuns(container));
        clock.end("start");
        return new Deployed("http://127.0.0.1:" + port, Optional.of(new Pulled(pull.way(), pull.bytesMoved())));
    }

    private Running start(String image) throws IOException {
        if (started == 0) {
            ctr.removeLeft(prefix);
        }
        String id = prefix + ProcessHandle.current().pid() + "-" + ++started;
        List<String> command = new ArrayList<>(List.of("run", "--rm", "--net-host", "--snapshotter", snapshotter));
        if (port != PORT) {
            command.addAll(List.of("--env", "PORT=" + port));
        }
        command.addAll(List.of(image, id));
        Process client = ctr.start(command.toArray(String[]::new));
        Thread.ofVirtual().name("output").start(() -> copyOutput(client));
        return new Running(id, client);
    }

    private void copyOutput(Process client) {
        try (BufferedReader lines = client.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                log.println("| " + Printable.line(line));
                log.flush();
            }
        } catch (IOException e) {
            log.println("the function's output ends here: " + e.getMessage());
            log.flush();
        }
    }

    private static void checkRuns(Running container) throws IOException {
        if (!container.client().isAlive()) {
            throw new IOException("the function ended with exit code "
                    + container.client().exitValue() + " before it answered; what it printed is above");
        }
    }

    /** Ends the running version; {@code ctr run --rm} then removes the container, which nobody has to wait for. */
    private void end() {
        Running old = running;
        running = null;
        if (old != null && old.client().isAlive()) {
            try {
                ctr.run("tasks", "kill", "-s", "SIGKILL", old.id());
            } catch (IOException e) {
                // It has ended by itself, or was never there.
                log.println(Printable.line(String.valueOf(e.getMessage())));
                log.flush();
            }
        }
    }

    @Override
    public void close() {
        Running last = running;
        end();
        if (last != null) {
            try {
                if (!last.client().waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                    last.client().destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

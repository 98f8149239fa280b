package io.faasimage.cli.development;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.cli.containerd.Ctr;
import io.faasimage.cli.terminal.Printable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/**
 * A container of this machine's containerd in the host's network: the node agent pulls the image, {@code ctr} starts it
 * and passes on its output. The port is free while a version is replaced.
 */
final class LocalContainer implements AutoCloseable {
    private static final long ANSWER_NANOS = 60_000_000_000L;
    private static final int PAUSE_MILLIS = 10;

    private final ControlClient node;
    private final Ctr ctr;
    private final String id;
    private final int port;
    private final PrintWriter log;

    LocalContainer(ControlClient node, String function, int port, PrintWriter log) {
        this.node = node;
        Map<String, String> environment = System.getenv();
        this.ctr = new Ctr(
                Path.of(environment.getOrDefault("CONTAINERD_ADDRESS", "/run/containerd/containerd.sock")),
                environment.getOrDefault("CONTAINERD_NAMESPACE", "default"));
        this.id = "faasimage-dev-" + function;
        this.port = port;
        this.log = log;
    }

    /** Has the node agent pull an image; the bytes that it fetched. */
    long pull(String image) throws IOException {
        return node.call(NodeOperations.PULL, new PullRequest(image, ctr.namespace(), false))
                .bytesMoved();
    }

    /** Starts a container of {@code image} in the place of the running one, and waits for its first answer. */
    void replace(String image) throws IOException {
        close();
        Process client =
                ctr.start("run", "--net-host", "--snapshotter", "faasimage", "--env", "PORT=" + port, image, id);
        Thread.ofVirtual()
                .start(() -> client.inputReader(StandardCharsets.UTF_8).lines().forEach(line -> {
                    log.println("| " + Printable.line(line));
                    log.flush();
                }));
        long end = System.nanoTime() + ANSWER_NANOS;
        while (!answers()) {
            if (!client.isAlive()) {
                throw new IOException("the function ended with exit code " + client.exitValue()
                        + " before it answered; what it printed is above");
            } else if (System.nanoTime() > end) {
                throw new IOException("the function did not answer within a minute");
            }
            pause(PAUSE_MILLIS);
        }
    }

    private boolean answers() {
        try {
            HttpURLConnection request = (HttpURLConnection)
                    URI.create("http://127.0.0.1:" + port + "/_/ready").toURL().openConnection();
            request.setConnectTimeout(10_000);
            request.setReadTimeout(10_000);
            return request.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    static void pause(int millis) throws InterruptedIOException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Ends the running version, or that of a command that was killed. */
    @Override
    public void close() {
        ctr.remove(id);
    }
}

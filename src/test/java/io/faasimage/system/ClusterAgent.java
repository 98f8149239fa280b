package io.faasimage.system;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PruneOutcome;
import io.faasimage.api.control.node.PruneRequest;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.api.rest.Json;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The node agent of a {@link Cluster}, and its gate. */
final class ClusterAgent {
    private static final Duration START = Duration.ofSeconds(60);

    private final Cluster cluster;
    private final ClusterOptions options;
    /** Replaced by {@link #restart}. */
    private List<String> more;

    private @Nullable Daemon process;

    ClusterAgent(Cluster cluster, ClusterOptions options) {
        this.cluster = cluster;
        this.options = options;
        this.more = options.node;
    }

    void start() throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(cluster.environment());
        environment.putAll(options.programs);
        process = Daemon.start("node-manager", cluster.log("node"), environment, command())
                .await(
                        START,
                        () -> ControlServer.isServed(cluster.run.resolve("snapshotter.sock"))
                                && ControlServer.isServed(socket()));
        // containerd tries a proxy plugin again after up to three seconds.
        Wait.until(
                START,
                "containerd to reach the snapshotter",
                () -> cluster.containers
                                .ctr("snapshots", "--snapshotter", "faasimage", "ls")
                                .exit()
                        == 0);
    }

    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(
                cluster.bin.resolve("faasimage-node").toString(),
                "--root",
                cluster.root.toString(),
                "--run",
                cluster.run.toString(),
                "--containerd",
                cluster.containerdSockets(),
                "--gate-command",
                cluster.bin.resolve("faasimage-gate").toString(),
                "--mounts",
                options.mounts.name().toLowerCase(Locale.ROOT),
                "--lookup-limit",
                "5",
                // Each of many nodes would take some seconds of processor time for it.
                "--warm-up",
                options.trains() ? "yes" : "no"));
        boolean hasService = !more.contains("registry");
        if (hasService) {
            command.addAll(List.of("--registry", cluster.serviceUrl()));
        }
        if (hasService && !more.contains("--enrol-token-file") && options.certificates.isEmpty()) {
            command.addAll(
                    List.of("--token-file", cluster.dir.resolve("d/token").toString()));
        }
        command.addAll(more);
        return command;
    }

    /** Kills the agent and starts it with these options in the place of those that it had. */
    void restart(String... options) throws IOException, InterruptedException {
        kill();
        more = List.of(options);
        start();
    }

    void kill() throws InterruptedException {
        Optional.ofNullable(process).orElseThrow().kill();
    }

    /** Ends the agent, if it was started; its gate continues. */
    void end(Duration limit) throws IOException, InterruptedException {
        if (process != null) {
            process.end(limit);
        }
    }

    /** Ends the gate, which outlives the agent. */
    void endGate() throws IOException {
        if (ControlServer.isServed(gateSocket())) {
            new ControlClient(gateSocket()).call(GateOperations.STOP);
        }
    }

    /** The pid of the running gate. */
    long gatePid() throws IOException {
        return gate().pid();
    }

    /** The status of the running gate. */
    GateStatus gate() throws IOException {
        return new ControlClient(gateSocket()).call(GateOperations.STATUS);
    }

    private Path gateSocket() {
        return cluster.run.resolve("gate.sock");
    }

    /** The agent's control socket. */
    Path socket() {
        return cluster.run.resolve("node.sock");
    }

    String log() throws IOException {
        return Files.readString(cluster.log("node"));
    }

    /** A client as the command has it, without a process for each request. */
    ControlClient control() {
        return new ControlClient(socket());
    }

    /** As {@code faasimage node status --json} prints it. */
    JsonNode status() throws IOException {
        return Json.mapper().valueToTree(control().call(NodeOperations.STATUS));
    }

    /** Pulls an image into containerd's default namespace with its whole prefetch list. */
    PullOutcome pull(String image) throws IOException {
        PullOutcome pulled = control().call(NodeOperations.PULL, new PullRequest(image, null, true));
        if (pulled.objectsMissing() > 0) {
            throw new IOException("not all that a start reads was fetched: " + pulled);
        }
        return pulled;
    }

    /** Drops everything from the node that no container uses. */
    PruneOutcome prune() throws IOException {
        return control().call(NodeOperations.PRUNE, new PruneRequest(true));
    }
}

package io.faasimage.cli.tune;

import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.cli.command.Connections;
import io.faasimage.linux.IsolatedProcessors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Expedited RCU grace periods while containers start: an option of the node agent, which turns them on and off and
 * knows whether it is set. The file or unit that starts the agent is the user's.
 */
final class ExpeditedRcuOption implements Lever {
    private static final String OPTION = "--expedite-rcu yes";

    private final Connections connections;
    private final Path system;

    /**
     * The agent's option.
     *
     * @param system the root of {@code /sys}
     */
    ExpeditedRcuOption(Connections connections, Path system) {
        this.connections = connections;
        this.system = system;
    }

    @Override
    public String name() {
        return "expedited-rcu";
    }

    @Override
    public String effect() {
        return "joining a cgroup and unmounting wait for shorter RCU grace periods";
    }

    @Override
    public String risk() {
        return "interrupts all processors while containers start";
    }

    @Override
    public LeverState state() throws IOException {
        Boolean set;
        try {
            set = connections.node().call(NodeOperations.STATUS).expediteRcu();
        } catch (IOException e) {
            return new LeverState.Impossible("it is an option of the node agent, which does not answer: "
                    + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
        if (set == null) {
            return new LeverState.Impossible("the node agent is of an older version, which does not report it");
        }
        if (set) {
            return new LeverState.On("by the node agent's option " + OPTION);
        }
        Optional<String> obstacle = obstacle();
        return obstacle.isPresent()
                ? new LeverState.Impossible(obstacle.get())
                : new LeverState.Off("is the node agent's option " + OPTION);
    }

    private Optional<String> obstacle() throws IOException {
        if (!Files.exists(system.resolve("kernel/rcu_expedited"))) {
            return Optional.of("this kernel has no switch /sys/kernel/rcu_expedited");
        }
        return IsolatedProcessors.find(system).map(list -> "it would interrupt isolated processors, " + list);
    }

    @Override
    public LeverChange enable(TuneJournal journal) throws IOException {
        return switch (state()) {
            case LeverState.On on -> new LeverChange.Nothing(on.detail());
            case LeverState.Impossible impossible -> throw new IOException(name() + ": " + impossible.detail());
            case LeverState.Off _ -> new LeverChange.ByHand(steps("add the option " + OPTION + " to"));
        };
    }

    @Override
    public LeverChange disable(TuneJournal journal) throws IOException {
        return switch (state()) {
            case LeverState.On _ -> new LeverChange.ByHand(steps("remove the option " + OPTION + " from"));
            case LeverState.Impossible impossible -> new LeverChange.Nothing(impossible.detail());
            case LeverState.Off _ -> new LeverChange.Nothing("the node agent does not have the option " + OPTION);
        };
    }

    private static List<String> steps(String edit) {
        return List.of(
                edit + " /etc/faasimage/node.conf, or wherever faasimage-node has its options",
                "restart the agent (running containers are not affected): systemctl restart faasimage-node");
    }
}

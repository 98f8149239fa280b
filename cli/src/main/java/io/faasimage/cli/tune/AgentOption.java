package io.faasimage.cli.tune;

import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.cli.command.Connections;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A lever that is an option of the node agent, which knows whether it is set; the option is in the file or the unit that
 * starts the agent, which are the user's.
 */
abstract class AgentOption implements Lever {
    private final Connections connections;
    private final String option;
    private final Predicate<NodeStatus.Tuning> set;

    AgentOption(Connections connections, String option, Predicate<NodeStatus.Tuning> set) {
        this.connections = connections;
        this.option = option;
        this.set = set;
    }

    /** What this machine lacks for it. */
    abstract Optional<String> obstacle() throws IOException;

    @Override
    public final LeverState state() throws IOException {
        NodeStatus.Tuning tuning;
        try {
            tuning = connections.node().call(NodeOperations.STATUS).tuning();
        } catch (IOException e) {
            return new LeverState.Impossible("it is an option of the node agent, which does not answer: "
                    + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
        if (tuning == null) {
            return new LeverState.Impossible("the node agent is of an older version, which does not report it");
        }
        if (set.test(tuning)) {
            return new LeverState.On("by the node agent's option " + option);
        }
        Optional<String> obstacle = obstacle();
        return obstacle.isPresent()
                ? new LeverState.Impossible(obstacle.get())
                : new LeverState.Off("give the node agent the option " + option);
    }

    @Override
    public final LeverChange enable(TuneJournal journal) throws IOException {
        return switch (state()) {
            case LeverState.On on -> new LeverChange.Nothing(on.detail());
            case LeverState.Impossible impossible -> throw new IOException(name() + ": " + impossible.detail());
            case LeverState.Off _ -> new LeverChange.ByHand(steps("add the option " + option + " to"));
        };
    }

    @Override
    public final LeverChange disable(TuneJournal journal) throws IOException {
        return switch (state()) {
            case LeverState.On _ -> new LeverChange.ByHand(steps("remove the option " + option + " from"));
            case LeverState.Impossible impossible -> new LeverChange.Nothing(impossible.detail());
            case LeverState.Off _ -> new LeverChange.Nothing("the node agent does not have the option " + option);
        };
    }

    private static List<String> steps(String edit) {
        return List.of(
                edit + " /etc/faasimage/node.conf, or wherever faasimage-node has its options",
                "restart the agent (running containers are not affected): systemctl restart faasimage-node");
    }
}

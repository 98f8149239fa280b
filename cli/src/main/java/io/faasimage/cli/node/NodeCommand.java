package io.faasimage.cli.node;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.api.control.node.PruneOutcome;
import io.faasimage.api.control.node.PruneRequest;
import io.faasimage.api.control.node.WarmOutcome;
import io.faasimage.api.control.node.WarmRequest;
import io.faasimage.cli.command.NodeAgentCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Output;
import java.io.IOException;

/** {@code faasimage node}. */
public final class NodeCommand {
    private NodeCommand() {}

    /** {@code faasimage node status}. */
    public static final class Status extends NodeAgentCommand {
        @Override
        protected void run(ControlClient node) throws IOException {
            NodeStatus status = node.call(NodeOperations.STATUS);
            output.show(status, screen -> NodeStatusView.print(status, screen));
        }
    }

    /** {@code faasimage node warm}. */
    public static final class Warm extends NodeAgentCommand {
        private final Argument<String> runtime =
                arguments.parameter("RUNTIME", "Language and version, such as python3.12; see `faasimage runtimes`.");

        @Override
        protected void run(ControlClient node) throws IOException {
            WarmOutcome result = node.call(NodeOperations.WARM, WarmRequest.ofRuntime(runtime.get()));
            output.print(result, out -> {
                out.println("the base of " + runtime.get() + " is on this node");
                NodeMessages.describe(result, "  ", out);
            });
        }
    }

    /** {@code faasimage node prune}. */
    public static final class Prune extends NodeAgentCommand {

        private final Argument<Boolean> all =
                arguments.flag("--all", "Also drop everything else that no mounted root file system needs.");

        @Override
        protected void run(ControlClient node) throws IOException {
            PruneOutcome pruned = node.call(NodeOperations.PRUNE, new PruneRequest(all.get()));
            output.print(
                    pruned,
                    out -> out.println(
                            "dropped " + pruned.objects() + " objects (" + Output.bytes(pruned.bytes()) + "), "
                                    + pruned.plans() + " plans and " + pruned.images() + " metadata images ("
                                    + Output.bytes(pruned.imageBytes()) + "); " + pruned.keptPlans() + " plans stay"));
        }
    }
}

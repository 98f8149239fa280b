package io.faasimage.cli.node;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.api.control.node.PruneOutcome;
import io.faasimage.api.control.node.PruneRequest;
import io.faasimage.api.control.node.WarmOutcome;
import io.faasimage.api.control.node.WarmRequest;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.NodeAgentCommand;
import io.faasimage.cli.terminal.Output;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code faasimage node}. */
@Command(
        name = "node",
        description = "The node agent of this machine.",
        subcommands = {
            NodeCommand.Status.class,
            NodeCommand.Warm.class,
            NodeCommand.Prune.class,
            NodeConfigurationCommand.Install.class,
            NodeConfigurationCommand.Uninstall.class
        })
public final class NodeCommand extends CliCommand {
    @Spec
    private CommandSpec spec;

    @Override
    protected void run() {
        throw new ParameterException(
                spec.commandLine(), "missing subcommand: status, warm, prune, install or uninstall");
    }

    /** {@code faasimage node status}. */
    @Command(
            name = "status",
            description = "Shows the state of the node agent: plans, objects, gate, service, recent events.")
    static final class Status extends NodeAgentCommand {
        @Override
        protected void run(ControlClient node) throws IOException {
            NodeStatus status = node.call(NodeOperations.STATUS);
            output.show(status, screen -> NodeStatusView.print(status, screen));
        }
    }

    /** {@code faasimage node warm}. */
    @Command(
            name = "warm",
            description = {
                "Fetches the base segment of a language runtime to this node, before any function of it starts here.",
                "The first function of that runtime then need not wait for what all of them share."
            })
    static final class Warm extends NodeAgentCommand {
        @Parameters(
                paramLabel = "RUNTIME",
                description = "Language and version, such as python3.12; see `faasimage runtimes`.")
        private String runtime;

        @Override
        protected void run(ControlClient node) throws IOException {
            WarmOutcome result = node.call(NodeOperations.WARM, WarmRequest.ofRuntime(runtime));
            output.print(result, out -> {
                out.println("the base of " + runtime + " is on this node");
                NodeMessages.describe(result, "  ", out);
            });
        }
    }

    /** {@code faasimage node prune}. */
    @Command(
            name = "prune",
            description =
                    "Drops the objects and metadata images that no plan on this node needs. Safe at any time: what"
                            + " is needed later is fetched again.")
    static final class Prune extends NodeAgentCommand {

        @Option(names = "--all", description = "Also drop everything else that no mounted root file system needs.")
        private boolean all;

        @Override
        protected void run(ControlClient node) throws IOException {
            PruneOutcome pruned = node.call(NodeOperations.PRUNE, new PruneRequest(all));
            output.print(
                    pruned,
                    out -> out.println(
                            "dropped " + pruned.objects() + " objects (" + Output.bytes(pruned.bytes()) + "), "
                                    + pruned.plans() + " plans and " + pruned.images() + " metadata images ("
                                    + Output.bytes(pruned.imageBytes()) + "); " + pruned.keptPlans() + " plans stay"));
        }
    }
}

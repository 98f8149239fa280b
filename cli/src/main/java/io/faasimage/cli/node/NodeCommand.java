package io.faasimage.cli.node;

import io.faasimage.api.control.ControlClient;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.NodeAgentCommand;
import io.faasimage.cli.terminal.Output;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

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
            JsonNode status = node.call("status");
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
            JsonNode result = node.call("warm", Map.of("runtime", runtime), event -> {});
            output.print(result, out -> {
                out.println("the base of " + runtime + " is on this node");
                NodeEvents.describe(result, "  ", out);
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
            JsonNode pruned = node.call("prune", Map.of("all", all), event -> {});
            output.print(
                    pruned,
                    out -> out.println("dropped " + pruned.path("objects").asLong() + " objects ("
                            + Output.bytes(pruned.path("bytes").asLong()) + "), "
                            + pruned.path("plans").asLong() + " plans and "
                            + pruned.path("images").asLong() + " metadata images ("
                            + Output.bytes(pruned.path("imageBytes").asLong()) + "); "
                            + pruned.path("keptPlans").asLong() + " plans stay"));
        }
    }
}

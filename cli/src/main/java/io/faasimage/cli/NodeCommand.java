package io.faasimage.cli;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code faasimage node}. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        description = "The node agent of this machine.",
        subcommands = {
            NodeCommand.Status.class,
            NodeCommand.Warm.class,
            NodeCommand.Prune.class,
            NodeConfigurationCommand.Install.class,
            NodeConfigurationCommand.Uninstall.class
        })
final class NodeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(
                spec.commandLine(), "missing subcommand: status, warm, prune, install or uninstall");
    }

    /** {@code faasimage node status}. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            description = "What the node agent holds and does: plans, objects, gate, registry, recent events.")
    static final class Status implements Callable<Integer> {
        @Mixin
        private Connections connections;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws IOException {
            JsonNode status = connections.node().call("status");
            output.print(status, out -> NodeEvents.describe(status, "", out));
            return 0;
        }
    }

    /** {@code faasimage node warm}. */
    @Command(
            name = "warm",
            mixinStandardHelpOptions = true,
            description = {
                "Brings the base segment of a language runtime to this node, before any function of it starts here.",
                "What functions of one runtime share is then not waited for by the first of them."
            })
    static final class Warm implements Callable<Integer> {
        @Parameters(paramLabel = "RUNTIME", description = "Such as python3.12; see `faasimage runtimes`.")
        private String runtime;

        @Mixin
        private Connections connections;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws IOException {
            JsonNode result = connections.node().call("warm", Map.of("runtime", runtime), event -> {});
            output.print(result, out -> {
                out.println("the base of " + runtime + " is on this node");
                NodeEvents.describe(result, "  ", out);
            });
            return 0;
        }
    }

    /** {@code faasimage node prune}. */
    @Command(
            name = "prune",
            mixinStandardHelpOptions = true,
            description =
                    "Drops the objects and metadata images that no plan on this node needs. Safe at any time: what is"
                            + " missing later is fetched again.")
    static final class Prune implements Callable<Integer> {
        @Mixin
        private Connections connections;

        @Mixin
        private Output output;

        @Option(
                names = "--all",
                description = "Drop everything else, too, but what mounted root file systems are made of.")
        private boolean all;

        @Override
        public Integer call() throws IOException {
            JsonNode pruned = connections.node().call("prune", Map.of("all", all), event -> {});
            output.print(
                    pruned,
                    out -> out.println("dropped " + pruned.path("objects").asLong() + " objects ("
                            + Output.bytes(pruned.path("bytes").asLong()) + "), "
                            + pruned.path("plans").asLong() + " plans and "
                            + pruned.path("images").asLong() + " metadata images ("
                            + Output.bytes(pruned.path("imageBytes").asLong()) + "); "
                            + pruned.path("keptPlans").asLong() + " plans stay"));
            return 0;
        }
    }
}

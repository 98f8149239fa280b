package io.faasimage.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code faasimage node}. */
@Command(
        name = "node",
        mixinStandardHelpOptions = true,
        description = "The node agent of this machine.",
        subcommands = NodeCommand.Status.class)
final class NodeCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "missing subcommand: status");
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
}

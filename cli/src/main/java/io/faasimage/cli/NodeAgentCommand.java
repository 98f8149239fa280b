package io.faasimage.cli;

import io.faasimage.api.control.ControlClient;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A command that asks the node agent of this machine. */
abstract class NodeAgentCommand extends CliCommand {
    @Mixin
    protected Connections connections;

    abstract void run(ControlClient node) throws IOException;

    @Override
    final void run() throws IOException {
        run(connections.node());
    }
}

package io.faasimage.cli.command;

import io.faasimage.api.control.ControlClient;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A command that asks the node agent of this machine. */
public abstract class NodeAgentCommand extends CliCommand {
    @Mixin
    protected Connections connections;

    protected abstract void run(ControlClient node) throws IOException;

    @Override
    protected final void run() throws IOException {
        run(connections.node());
    }
}

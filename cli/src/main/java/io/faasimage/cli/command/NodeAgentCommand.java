package io.faasimage.cli.command;

import io.faasimage.api.control.ControlClient;
import java.io.IOException;

/** The base of commands that send requests to the node agent of this machine. */
public abstract class NodeAgentCommand extends CliCommand {
    protected final Connections connections = arguments.with(new Connections());

    protected abstract void run(ControlClient node) throws IOException;

    @Override
    protected final void run() throws IOException {
        run(connections.node());
    }
}

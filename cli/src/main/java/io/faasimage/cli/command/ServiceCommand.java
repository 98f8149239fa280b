package io.faasimage.cli.command;

import io.faasimage.api.client.ServiceClient;
import java.io.IOException;

/** The base of commands that send requests to registry-service. */
public abstract class ServiceCommand extends CliCommand {
    protected final Connections connections = arguments.with(new Connections());

    protected abstract void run(ServiceClient registry) throws IOException;

    @Override
    protected final void run() throws IOException {
        try (ServiceClient registry = connections.registry()) {
            run(registry);
        }
    }
}

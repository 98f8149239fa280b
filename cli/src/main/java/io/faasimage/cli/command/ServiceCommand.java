package io.faasimage.cli.command;

import io.faasimage.api.client.ServiceClient;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A command that asks registry-service. */
public abstract class ServiceCommand extends CliCommand {
    @Mixin
    protected Connections connections;

    protected abstract void run(ServiceClient registry) throws IOException;

    @Override
    protected final void run() throws IOException {
        try (ServiceClient registry = connections.registry()) {
            run(registry);
        }
    }
}

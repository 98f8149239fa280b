package io.faasimage.cli;

import io.faasimage.api.RegistryClient;
import java.io.IOException;
import picocli.CommandLine.Mixin;

/** A command that asks registry-service. */
abstract class RegistryCommand extends CliCommand {
    @Mixin
    protected Connections connections;

    abstract void run(RegistryClient registry) throws IOException;

    @Override
    final void run() throws IOException {
        try (RegistryClient registry = connections.registry()) {
            run(registry);
        }
    }
}

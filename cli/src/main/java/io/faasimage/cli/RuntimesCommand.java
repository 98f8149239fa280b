package io.faasimage.cli;

import io.faasimage.api.RegistryClient;
import io.faasimage.api.RuntimeInfo;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code faasimage runtimes}. */
@Command(
        name = "runtimes",
        description = "Lists the language runtimes of planned images; `faasimage node warm` brings one to a node.")
final class RuntimesCommand extends RegistryCommand {
    @Override
    void run(RegistryClient registry) throws IOException {
        Table table = new Table("RUNTIME", ">IMAGES", ">OBJECTS", ">SIZE", ">TO MOVE");
        output.list(registry.runtimes(), RuntimeInfo::name, table, runtime -> new String[] {
            runtime.name(),
            Integer.toString(runtime.images()),
            Long.toString(runtime.baseObjects()),
            Output.bytes(runtime.baseBytes()),
            Output.bytes(runtime.baseStored())
        });
    }
}

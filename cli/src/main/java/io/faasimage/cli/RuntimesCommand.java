package io.faasimage.cli;

import io.faasimage.api.RegistryClient;
import io.faasimage.api.RuntimeInfo;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code faasimage runtimes}. */
@Command(
        name = "runtimes",
        mixinStandardHelpOptions = true,
        description = "Lists the language runtimes of planned images; `faasimage node warm` brings one to a node.")
final class RuntimesCommand implements Callable<Integer> {
    @Mixin
    private Connections connections;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws IOException {
        try (RegistryClient registry = connections.registry()) {
            List<RuntimeInfo> runtimes = registry.runtimes();
            output.print(runtimes, out -> {
                Table table = new Table("RUNTIME", "IMAGES", "BASE OBJECTS", "BASE BYTES", "TO MOVE");
                runtimes.forEach(runtime -> table.row(
                        runtime.name(),
                        Integer.toString(runtime.images()),
                        Long.toString(runtime.baseObjects()),
                        Long.toString(runtime.baseBytes()),
                        Long.toString(runtime.baseStored())));
                table.print(out);
            });
        }
        return 0;
    }
}

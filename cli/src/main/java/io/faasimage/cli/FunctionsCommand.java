package io.faasimage.cli;

import io.faasimage.api.FunctionInfo;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage functions}: lists; {@code functions delete NAME}. */
@Command(
        name = "functions",
        mixinStandardHelpOptions = true,
        description = "Lists the registered functions.",
        subcommands = FunctionsCommand.Delete.class)
final class FunctionsCommand implements Callable<Integer> {
    @Mixin
    private Connections connections;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws IOException {
        try (RegistryClient registry = connections.registry()) {
            List<FunctionInfo> functions = registry.functions();
            output.print(functions, out -> {
                Table table = new Table("NAME", "STATE", "IMAGE", "DIGEST");
                functions.forEach(
                        f -> table.row(f.name(), f.state().toString(), f.image(), Table.shortDigest(f.digest())));
                table.print(out);
            });
        }
        return 0;
    }

    /** {@code faasimage functions delete NAME}. */
    @Command(name = "delete", mixinStandardHelpOptions = true, description = "Deletes a function.")
    static final class Delete implements Callable<Integer> {
        @Parameters(paramLabel = "NAME", description = "Name of the function.")
        private String name;

        @Option(names = "--purge", description = "Remove the image's plan too when no other function uses it.")
        private boolean purge;

        @Mixin
        private Connections connections;

        @Mixin
        private Output output;

        @Override
        public Integer call() throws IOException {
            try (RegistryClient registry = connections.registry()) {
                registry.deleteFunction(name, purge);
                output.print(Map.of("deleted", name), out -> out.println("deleted " + name));
            }
            return 0;
        }
    }
}

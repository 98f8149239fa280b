package io.faasimage.cli;

import io.faasimage.api.FunctionInfo;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage functions}: lists; {@code functions delete NAME}. */
@Command(
        name = "functions",
        description = "Lists the registered functions.",
        subcommands = FunctionsCommand.Delete.class)
final class FunctionsCommand extends RegistryCommand {
    @Override
    void run(RegistryClient registry) throws IOException {
        Table table = new Table("NAME", "=STATE", "IMAGE", ">DIGEST");
        output.list(registry.functions(), FunctionInfo::name, table, f ->
                new String[] {f.name(), f.state().toString(), f.image(), Table.shortDigest(f.digest())});
    }

    /** {@code faasimage functions delete NAME}. */
    @Command(name = "delete", description = "Deletes a function.")
    static final class Delete extends RegistryCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the function.")
        private String name;

        @Option(names = "--purge", description = "Remove the image's plan too when no other function uses it.")
        private boolean purge;

        @Override
        void run(RegistryClient registry) throws IOException {
            registry.deleteFunction(name, purge);
            output.print(Map.of("deleted", name), out -> out.println("deleted " + name));
        }
    }
}

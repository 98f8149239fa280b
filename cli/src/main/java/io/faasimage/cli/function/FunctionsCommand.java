package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage functions}: lists; {@code functions delete}, {@code pin} and {@code unpin NAME}. */
@Command(
        name = "functions",
        description = "Lists the registered functions.",
        subcommands = {FunctionsCommand.Delete.class, FunctionsCommand.Pin.class, FunctionsCommand.Unpin.class})
public final class FunctionsCommand extends ServiceCommand {
    @Override
    protected void run(ServiceClient registry) throws IOException {
        Table table = new Table("NAME", "=STATE", "IMAGE", ">DIGEST", "PINNED TO");
        output.list(registry.functions(), FunctionInfo::name, table, f -> new String[] {
            f.name(),
            f.state().toString(),
            f.image(),
            Table.shortDigest(f.digest()),
            f.pinned() == null ? "-" : Table.shortDigest(f.pinned())
        });
    }

    /** {@code faasimage functions delete NAME}. */
    @Command(name = "delete", description = "Deletes a function.")
    static final class Delete extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the function.")
        private String name;

        @Option(names = "--purge", description = "Also remove the image's plan if no other function uses it.")
        private boolean purge;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            registry.deleteFunction(name, purge);
            output.print(Map.of("deleted", name), out -> out.println("deleted " + name));
        }
    }

    /** {@code faasimage functions pin NAME}. */
    @Command(
            name = "pin",
            description = "Pins a function's image to its present plan: newer plans are made but not used.")
    static final class Pin extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the function.")
        private String name;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            FunctionInfo function = registry.pin(name);
            output.print(function, out -> out.println("pinned " + name + " to plan " + function.pinned()));
        }
    }

    /** {@code faasimage functions unpin NAME}. */
    @Command(name = "unpin", description = "Unpins a function's image: nodes get its newest plan again.")
    static final class Unpin extends ServiceCommand {
        @Parameters(paramLabel = "NAME", description = "Name of the function.")
        private String name;

        @Override
        protected void run(ServiceClient registry) throws IOException {
            FunctionInfo function = registry.unpin(name);
            output.print(function, out -> out.println("unpinned " + name));
        }
    }
}

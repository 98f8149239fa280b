package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.util.Map;

/** {@code faasimage functions}: lists; {@code functions delete}, {@code pin} and {@code unpin NAME}. */
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
    public static final class Delete extends ServiceCommand {
        private final Argument<String> name = arguments.parameter("NAME", "Name of the function.");
        private final Argument<Boolean> purge =
                arguments.flag("--purge", "Also remove the image's plan if no other function uses it.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            registry.deleteFunction(name.get(), purge.get());
            output.print(Map.of("deleted", name.get()), out -> out.println("deleted " + name.get()));
        }
    }

    /** {@code faasimage functions pin NAME}. */
    public static final class Pin extends ServiceCommand {
        private final Argument<String> name = arguments.parameter("NAME", "Name of the function.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            FunctionInfo function = registry.pin(name.get());
            output.print(function, out -> out.println("pinned " + name.get() + " to plan " + function.pinned()));
        }
    }

    /** {@code faasimage functions unpin NAME}. */
    public static final class Unpin extends ServiceCommand {
        private final Argument<String> name = arguments.parameter("NAME", "Name of the function.");

        @Override
        protected void run(ServiceClient registry) throws IOException {
            FunctionInfo function = registry.unpin(name.get());
            output.print(function, out -> out.println("unpinned " + name.get()));
        }
    }
}

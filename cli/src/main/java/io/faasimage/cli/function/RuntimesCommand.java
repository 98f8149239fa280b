package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.RuntimeInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;

/** {@code faasimage runtimes}. */
public final class RuntimesCommand extends ServiceCommand {
    @Override
    protected void run(ServiceClient registry) throws IOException {
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

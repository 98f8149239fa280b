package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.function.FunctionBuild;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code faasimage build DIR}. */
@Command(
        name = "build",
        description = "Builds a function's image from its code, pushes it, and registers the function.")
public final class BuildCommand extends ServiceCommand {
    @Parameters(paramLabel = "DIR", description = "Directory with the function's code.")
    private Path directory;

    @Mixin
    private BuildOptions options;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        FunctionBuild.Request request = options.request(directory, registry);
        BuildOptions.builder(output.messages()).build(request);
        FunctionInfo function = options.register(request, registry);
        output.print(function, out -> {
            out.println("built " + function.name() + " (" + function.image() + ")");
            out.println("  digest " + function.digest());
            out.println("  next   its first start on a node is traced, or run: faasimage trace " + function.image());
        });
    }
}

package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.function.FunctionBuild;
import java.io.IOException;
import java.nio.file.Path;

/** {@code faasimage build DIR}. */
public final class BuildCommand extends ServiceCommand {
    private final Argument<Path> directory =
            arguments.parameter("DIR", "Directory with the function's code.", Path::of);
    private final BuildOptions options = arguments.with(new BuildOptions());

    @Override
    protected void run(ServiceClient registry) throws IOException {
        FunctionBuild.Request request = options.request(directory.get(), registry);
        BuildOptions.builder(output.messages()).build(request);
        FunctionInfo function = options.register(request, registry);
        output.print(function, out -> {
            out.println("built " + function.name() + " (" + function.image() + ")");
            out.println("  digest " + function.digest());
            out.println("  next   its first start on a node is traced, or run: faasimage trace " + function.image());
        });
    }
}

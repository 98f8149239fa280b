package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.cli.command.ServiceCommand;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage functions set NAME}. */
@Command(name = "set", description = "Changes a property of a function.")
final class SetCommand extends ServiceCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the function.")
    private String name;

    @Option(
            names = "--learn-caches",
            negatable = true,
            required = true,
            description = "Whether what a traced start writes into caches of its language runtime (bytecode, compiled"
                    + " scripts) goes into later plans. --no-learn-caches also drops what was learnt.")
    private boolean learnCaches;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        FunctionInfo function =
                learnCaches ? registry.caches().learn(name) : registry.caches().forget(name);
        output.print(
                function,
                out -> out.println(
                        learnCaches
                                ? "caches are learnt from the next traced start of " + name
                                : "no caches are learnt from starts of " + name));
    }
}

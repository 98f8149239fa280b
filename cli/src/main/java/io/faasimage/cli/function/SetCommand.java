package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import java.io.IOException;

/** {@code faasimage functions set NAME}. */
public final class SetCommand extends ServiceCommand {
    private final Argument<String> name = arguments.parameter("NAME", "Name of the function.");
    private final Argument<Boolean> learnCaches = arguments.flag(
            "--learn-caches",
            "Take what a traced start writes into caches of its language runtime (bytecode, compiled "
                    + "scripts) into later plans.");
    private final Argument<Boolean> noLearnCaches =
            arguments.flag("--no-learn-caches", "Do not, and drop what was learnt.");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        if (learnCaches.get().equals(noLearnCaches.get())) {
            throw new IllegalArgumentException("give --learn-caches or --no-learn-caches");
        }
        FunctionInfo function = learnCaches.get()
                ? registry.caches().learn(name.get())
                : registry.caches().forget(name.get());
        output.print(
                function,
                out -> out.println(
                        learnCaches.get()
                                ? "caches are learnt from the next traced start of " + name.get()
                                : "no caches are learnt from starts of " + name.get()));
    }
}

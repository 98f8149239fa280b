package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.LearntCachesInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;

/** {@code faasimage functions caches NAME}. */
public final class CachesCommand extends ServiceCommand {
    private final Argument<String> name = arguments.parameter("NAME", "Name of the function.");
    private final Argument<Boolean> drop =
            arguments.flag("--drop", "Drop them first, and learn again from the next traced start.");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        if (drop.get() && registry.function(name.get()).learnCaches()) {
            registry.caches().forget(name.get());
            registry.caches().learn(name.get());
        }
        LearntCachesInfo caches = registry.caches().of(name.get());
        output.print(caches, out -> {
            if (caches.node() == null) {
                out.println("nothing is learnt for " + name.get()
                        + (caches.learning()
                                ? " yet; a start is traced"
                                : "; permit it: faasimage functions set " + name.get() + " --learn-caches"));
                return;
            }
            out.println(caches.files().size() + " files, " + Output.bytes(caches.bytes()) + ", from a start on node "
                    + caches.node() + ", " + caches.learnt());
            caches.files()
                    .forEach(file -> out.println("%-6s %10d  %s  %s"
                            .formatted(file.cache(), file.size(), Table.shortDigest(file.digest()), file.path())));
        });
    }
}

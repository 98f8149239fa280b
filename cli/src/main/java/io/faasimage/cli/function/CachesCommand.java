package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.LearntCachesInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage functions caches NAME}. */
@Command(
        name = "caches",
        description = "Lists the files that were learnt from a start of a function, with the node that reported it.")
final class CachesCommand extends ServiceCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the function.")
    private String name;

    @Option(names = "--drop", description = "Drop them first, and learn again from the next traced start.")
    private boolean drop;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        if (drop && registry.function(name).learnCaches()) {
            registry.caches().forget(name);
            registry.caches().learn(name);
        }
        LearntCachesInfo caches = registry.caches().of(name);
        output.print(caches, out -> {
            if (caches.node() == null) {
                out.println("nothing is learnt for " + name
                        + (caches.learning()
                                ? " yet; a start is traced"
                                : "; permit it: faasimage functions set " + name + " --learn-caches"));
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

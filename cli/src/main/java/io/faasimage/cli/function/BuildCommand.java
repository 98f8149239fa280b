package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.cli.command.ServiceCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
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

    @Option(names = "--no-wait", description = "Return when the build is accepted; see: faasimage builds.")
    private boolean noWait;

    @Override
    protected void run(ServiceClient registry) throws IOException {
        options.checkRuntime(registry);
        BuildRequest request = options.request(directory);
        Map<String, byte[]> secrets = options.secrets();
        try (SourceArchive archive = SourceArchive.of(directory)) {
            BuildInfo accepted = registry.builds().submit(request, archive.file(), secrets);
            BuildInfo build = noWait ? accepted : new BuildWait(registry, output.messages()).untilDone(accepted);
            output.print(build, out -> {
                if (build.digest() == null) {
                    out.println("accepted build " + build.id() + " of " + build.function());
                } else {
                    out.println("built " + build.function() + " (" + build.image() + ")");
                    out.println("  digest " + build.digest());
                    out.println(
                            "  next   its first start on a node is traced, or run: faasimage trace " + build.image());
                }
            });
        }
    }
}

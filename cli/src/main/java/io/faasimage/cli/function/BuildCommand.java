package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.api.job.BuildRequest;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.line.Argument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** {@code faasimage build DIR}. */
public final class BuildCommand extends ServiceCommand {
    private final Argument<Path> directory =
            arguments.parameter("DIR", "Directory with the function's code.", Path::of);

    private final BuildOptions options = arguments.with(new BuildOptions());
    private final Argument<Boolean> noWait =
            arguments.flag("--no-wait", "Return when the build is accepted; see: faasimage builds.");

    @Override
    protected void run(ServiceClient registry) throws IOException {
        options.checkRuntime(registry);
        BuildRequest request = options.request(directory.get());
        Map<String, byte[]> secrets = options.secrets();
        try (SourceArchive archive = SourceArchive.of(directory.get())) {
            BuildInfo accepted = registry.builds().submit(request, archive.file(), secrets);
            BuildInfo build = noWait.get() ? accepted : new BuildWait(registry, output.messages()).untilDone(accepted);
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

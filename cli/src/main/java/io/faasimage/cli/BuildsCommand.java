package io.faasimage.cli;

import io.faasimage.api.BuildInfo;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code faasimage builds}. */
@Command(name = "builds", mixinStandardHelpOptions = true, description = "Lists the builds of functions.")
final class BuildsCommand implements Callable<Integer> {
    @Mixin
    private Connections connections;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws IOException {
        try (RegistryClient registry = connections.registry()) {
            List<BuildInfo> builds = registry.builds();
            output.print(builds, out -> {
                Table table = new Table("ID", "STATE", "FUNCTION", "RUNTIME", "IMAGE", "PHASE");
                builds.forEach(
                        b -> table.row(b.id(), b.state().toString(), b.function(), b.runtime(), b.image(), note(b)));
                table.print(out);
            });
        }
        return 0;
    }

    private static String note(BuildInfo build) {
        String error = build.error();
        return error == null ? build.phase() : error.lines().findFirst().orElse("");
    }
}

package io.faasimage.cli;

import io.faasimage.api.BuildInfo;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code faasimage builds}. */
@Command(name = "builds", description = "Lists the builds of functions.")
final class BuildsCommand extends RegistryCommand {
    @Override
    void run(RegistryClient registry) throws IOException {
        Table table = new Table("ID", "=STATE", "FUNCTION", "RUNTIME", "IMAGE", "PHASE");
        output.list(registry.builds(), BuildInfo::id, table, b ->
                new String[] {b.id(), b.state().toString(), b.function(), b.runtime(), b.image(), note(b)});
    }

    private static String note(BuildInfo build) {
        String error = build.error();
        return error == null ? build.phase() : error.lines().findFirst().orElse("");
    }
}

package io.faasimage.cli.function;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.BuildInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;

/** {@code faasimage builds}. */
public final class BuildsCommand extends ServiceCommand {
    @Override
    protected void run(ServiceClient registry) throws IOException {
        Table table = new Table("ID", "=STATE", "FUNCTION", "RUNTIME", "IMAGE", "PHASE");
        output.list(registry.builds().all(), BuildInfo::id, table, b ->
                new String[] {b.id(), b.state().toString(), b.function(), b.runtime(), b.image(), note(b)});
    }

    private static String note(BuildInfo build) {
        String error = build.error();
        return error == null ? build.phase() : error.lines().findFirst().orElse("");
    }
}

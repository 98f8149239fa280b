package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.terminal.Table;
import java.io.IOException;
import java.time.Duration;

/** {@code faasimage jobs}. */
public final class JobsCommand extends ServiceCommand {
    @Override
    protected void run(ServiceClient registry) throws IOException {
        Table table = new Table("ID", "=STATE", "IMAGE", ">SECONDS", "PHASE");
        output.list(registry.jobs(), JobInfo::id, table, j ->
                new String[] {j.id(), j.state().toString(), Table.shortDigest(j.image()), seconds(j), note(j)});
    }

    private static String seconds(JobInfo job) {
        return job.finished() == null
                ? "-"
                : "%.1f"
                        .formatted(
                                Duration.between(job.created(), job.finished()).toMillis() / 1000.0);
    }

    private static String note(JobInfo job) {
        String error = job.error();
        return error == null ? job.phase() : error;
    }
}

package io.faasimage.cli;

import io.faasimage.api.JobInfo;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import java.time.Duration;
import picocli.CommandLine.Command;

/** {@code faasimage jobs}. */
@Command(name = "jobs", description = "Lists the refactor jobs.")
final class JobsCommand extends RegistryCommand {
    @Override
    void run(RegistryClient registry) throws IOException {
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

package io.faasimage.cli;

import io.faasimage.api.JobInfo;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code faasimage jobs}. */
@Command(name = "jobs", mixinStandardHelpOptions = true, description = "Lists the refactor jobs.")
final class JobsCommand implements Callable<Integer> {
    @Mixin
    private Connections connections;

    @Mixin
    private Output output;

    @Override
    public Integer call() throws IOException {
        try (RegistryClient registry = connections.registry()) {
            List<JobInfo> jobs = registry.jobs();
            output.print(jobs, out -> {
                Table table = new Table("ID", "STATE", "IMAGE", "SECONDS", "PHASE");
                jobs.forEach(j ->
                        table.row(j.id(), j.state().toString(), Table.shortDigest(j.image()), seconds(j), note(j)));
                table.print(out);
            });
        }
        return 0;
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

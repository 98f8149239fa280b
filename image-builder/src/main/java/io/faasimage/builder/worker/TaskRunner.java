package io.faasimage.builder.worker;

import io.faasimage.api.client.BuilderCalls;
import io.faasimage.builder.ImageBuilder;
import io.faasimage.builder.archive.ArchiveLimits;
import io.faasimage.builder.archive.FunctionArchive;
import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.protocol.BuildReport.End;
import io.faasimage.builder.protocol.BuildTask;
import io.faasimage.builder.tree.FileTree;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/** The runner of tasks: it fetches the archive, unpacks it, and builds the image. Thread-safe. */
final class TaskRunner {
    private static final Logger LOG = System.getLogger(TaskRunner.class.getName());

    private final ImageBuilder builder;
    private final Path source;
    private final ArchiveLimits limits;

    /** A runner that unpacks archives in {@code source}. */
    TaskRunner(ImageBuilder builder, Path source, ArchiveLimits limits) {
        this.builder = builder;
        this.source = source;
        this.limits = limits;
    }

    /**
     * Runs a task on the calling thread, and reports its end.
     *
     * @param closed whether an interrupt means the end of this process: then the task is given back
     */
    void run(BuilderCalls service, BuildTask task, BooleanSupplier closed) throws InterruptedException {
        Path directory = source.resolve(task.directory() + "-" + task.kind());
        TaskReports reports = new TaskReports(service, task, directory.resolve("output"));
        End end;
        try {
            end = TaskLogins.call(task, () -> work(service, task, directory, reports));
        } catch (BuildException e) {
            end = new End(null, e.kind(), String.valueOf(e.getMessage()));
        } catch (IOException e) {
            end = End.failed(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, task + " has failed", e);
            end = End.failed("the builder failed in an unexpected way (" + e + "); see its log");
        }
        // An interrupt has done its work: what follows has to reach the service.
        Thread.interrupted();
        if (closed.getAsBoolean() && end.manifest() == null) {
            end = new End(null, BuildException.Kind.CANCELLED, "the builder stopped");
        }
        reports.end(end);
        try {
            FileTree.remove(directory);
        } catch (IOException e) {
            LOG.log(Level.WARNING, "could not remove the files of " + task + ": " + e);
        }
    }

    private End work(BuilderCalls service, BuildTask task, Path directory, TaskReports reports) throws IOException {
        Files.createDirectory(directory);
        Path archive = directory.resolve("archive");
        try (InputStream content = service.archive(task.lease())) {
            Files.copy(content, archive);
        }
        Path function = Files.createDirectory(directory.resolve("function"));
        FunctionArchive.unpack(archive, function, limits);
        Files.delete(archive);
        return switch (task.kind()) {
            case CHECK -> new End(null, null, null);
            case BUILD ->
                new End(
                        builder.build(task.directory(), function, task.request(), directory.resolve("output"), reports)
                                .manifest()
                                .toString(),
                        null,
                        null);
        };
    }
}

package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.node.ImageTraceOutcome;
import io.faasimage.api.control.node.ImageTraceRequest;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.command.CliCommand;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.node.NodeMessages;
import io.faasimage.cli.terminal.Progress;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceCodec;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** {@code faasimage trace IMAGE}. */
public final class TraceCommand extends CliCommand {
    private final Connections connections = arguments.with(new Connections());
    private final Argument<String> image = arguments.parameter("IMAGE", "Reference as registered.");
    private final Argument<List<String>> words = arguments.rest("ARG", "Arguments for the container, after --.");
    private final Argument<String> namespace = arguments
            .option("--namespace", "NAME", "containerd's namespace.")
            .from("CONTAINERD_NAMESPACE")
            .or("default");
    private final Argument<Boolean> hostNetwork =
            arguments.flag("--net-host", "Run the container in the host's network.");
    private final Argument<Integer> readinessPort = arguments.option(
            "--readiness-port",
            "PORT",
            "The start is over when a GET on this port answers 2xx (default: as registered) ...",
            Integer::valueOf);
    private final Argument<String> readinessPath =
            arguments.option("--readiness-path", "PATH", "... at this path.").or("/");
    private final Argument<Integer> limitSeconds = arguments
            .option("--limit", "SECONDS", "The start is over after this time at the latest.", Integer::valueOf)
            .or("60");
    private final Argument<Path> save = arguments.option(
            "--save",
            "FILE",
            "Write the trace into this file, for `faasimage publish --trace FILE`, merged with the one that is there;"
                    + " no service is asked.",
            Path::of);
    private final Argument<Boolean> noWait = arguments.flag("--no-wait", "Do not wait for the refactor job.");

    /**
     * The printed result.
     *
     * @param trace its outcome
     * @param image as the service has it then
     */
    private record Traced(ImageTraceOutcome trace, ImageInfo image) {}

    @Override
    protected void run() throws IOException {
        if (limitSeconds.get() < 1 || limitSeconds.get() > 3600) {
            throw new IllegalArgumentException("--limit must be 1 to 3600 seconds, not " + limitSeconds.get());
        }
        if (save.orNull() != null) {
            saved(save.get());
            return;
        }
        try (ServiceClient registry = connections.registry();
                Progress progress = output.progress()) {
            ImageInfo info = Connections.image(registry, image.get());
            ImageTraceOutcome traced = trace(progress);
            if (!noWait.get()) {
                awaitPlan(registry, info, progress);
            }
            ImageInfo planned = registry.image(Digest.parse(info.digest()));
            output.print(new Traced(withoutTrace(traced), planned), out -> {
                out.println("traced " + info.name() + ": " + planned.tracedFiles() + " files in " + planned.traceRuns()
                        + " run(s)");
                warnOfReadiness(traced, out);
                out.println("state " + planned.state() + (planned.plan() == null ? "" : ", plan " + planned.plan()));
            });
        }
    }

    private void saved(Path file) throws IOException {
        Optional<Trace> before =
                Files.exists(file) ? Optional.of(TraceCodec.decode(Files.readAllBytes(file))) : Optional.empty();
        try (Progress progress = output.progress()) {
            ImageTraceOutcome traced = trace(progress);
            Trace trace = TraceCodec.decode(Base64.getDecoder().decode(String.valueOf(traced.trace())));
            if (before.isPresent() && !before.get().chain().equals(trace.chain())) {
                throw new IOException(file + " has the trace of another image, which stays; choose another file");
            }
            Trace merged = before.map(trace::merge).orElse(trace);
            Files.write(file, TraceCodec.encode(merged));
            output.print(withoutTrace(traced), out -> {
                out.println("traced " + image.get() + ": " + merged.entries().size() + " files in " + merged.runs()
                        + " run(s), written to " + file);
                warnOfReadiness(traced, out);
            });
        }
    }

    /** The printed outcome; the trace itself is at the service, or in a file. */
    private static ImageTraceOutcome withoutTrace(ImageTraceOutcome traced) {
        return new ImageTraceOutcome(
                traced.image(),
                traced.chain(),
                traced.files(),
                traced.delivered(),
                traced.readiness(),
                null,
                traced.millis());
    }

    private ImageTraceOutcome trace(Progress progress) throws IOException {
        return connections.node().call(NodeOperations.TRACE, request(), event -> NodeMessages.show(progress, event));
    }

    private static void warnOfReadiness(ImageTraceOutcome traced, PrintWriter out) {
        if (traced.readiness() == null) {
            out.println("the function has no readiness probe: the trace ended when no new file was opened, and what the"
                    + " first request reads may be missing; see --readiness-port");
        }
    }

    private ImageTraceRequest request() {
        return new ImageTraceRequest(
                image.get(),
                namespace.get(),
                words.get(),
                hostNetwork.get(),
                limitSeconds.get(),
                readinessPort.orNull(),
                readinessPort.orNull() == null ? null : readinessPath.get());
    }

    private static void awaitPlan(ServiceClient registry, ImageInfo image, Progress progress) throws IOException {
        Optional<JobInfo> job = registry.jobs().stream()
                .filter(j -> j.image().equals(image.digest()))
                .findFirst();
        if (job.isPresent()) {
            JobWait.untilDone(registry, job.get(), Duration.ofMinutes(30), progress);
        } else if (registry.image(Digest.parse(image.digest())).state() != ImageState.PLANNED) {
            throw new IOException("the trace is recorded but no refactor job was queued; see: faasimage jobs");
        }
    }
}

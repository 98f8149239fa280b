package io.faasimage.cli.image;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.node.ImageTraceOutcome;
import io.faasimage.api.control.node.ImageTraceRequest;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.job.JobInfo;
import io.faasimage.cli.command.Connections;
import io.faasimage.cli.command.ServiceCommand;
import io.faasimage.cli.node.NodeMessages;
import io.faasimage.cli.terminal.Progress;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage trace IMAGE}. */
@Command(
        name = "trace",
        description = {
            "Starts a registered image once on this node, records what the start reads, and refactors the image.",
            "The trace is merged with earlier ones."
        })
public final class TraceCommand extends ServiceCommand {
    @Parameters(index = "0", paramLabel = "IMAGE", description = "Reference as registered.")
    private String image;

    @Parameters(index = "1..*", paramLabel = "ARG", description = "Arguments for the container, after --.")
    private List<String> arguments = List.of();

    @Option(
            names = "--namespace",
            description = "containerd's namespace (default: $CONTAINERD_NAMESPACE, else default).",
            defaultValue = "${env:CONTAINERD_NAMESPACE:-default}")
    private String namespace;

    @Option(names = "--net-host", description = "Run the container in the host's network.")
    private boolean hostNetwork;

    @Option(
            names = "--readiness-port",
            description = "The start is over when a GET on this port answers 2xx (default: as registered) ...")
    private @Nullable Integer readinessPort;

    @Option(
            names = "--readiness-path",
            description = "... at this path (default: ${DEFAULT-VALUE}).",
            defaultValue = "/")
    private String readinessPath;

    @Option(
            names = "--limit",
            paramLabel = "SECONDS",
            description = "The start is over after this time at the latest.",
            defaultValue = "60")
    private int limitSeconds;

    @Option(names = "--no-wait", description = "Do not wait for the refactor job.")
    private boolean noWait;

    /**
     * What is printed.
     *
     * @param trace what came of it
     * @param image as the service has it then
     */
    private record Traced(ImageTraceOutcome trace, ImageInfo image) {}

    @Override
    protected void run(ServiceClient registry) throws IOException {
        if (limitSeconds < 1 || limitSeconds > 3600) {
            throw new IllegalArgumentException("--limit must be 1 to 3600 seconds, not " + limitSeconds);
        }
        try (Progress progress = output.progress()) {
            ImageInfo info = Connections.image(registry, image);
            ImageTraceOutcome traced = connections
                    .node()
                    .call(NodeOperations.TRACE, request(), event -> NodeMessages.show(progress, event));
            if (!noWait) {
                awaitPlan(registry, info, progress);
            }
            ImageInfo planned = registry.image(Digest.parse(info.digest()));
            output.print(new Traced(traced, planned), out -> {
                out.println("traced " + info.name() + ": " + planned.tracedFiles() + " files in " + planned.traceRuns()
                        + " run(s)");
                if (traced.readiness() == null) {
                    out.println("the function has no readiness probe: the trace ended when no new file was opened,"
                            + " and what the"
                            + " first request reads may be missing; see --readiness-port");
                }
                out.println("state " + planned.state() + (planned.plan() == null ? "" : ", plan " + planned.plan()));
            });
        }
    }

    private ImageTraceRequest request() {
        return new ImageTraceRequest(
                image,
                namespace,
                arguments,
                hostNetwork,
                limitSeconds,
                readinessPort,
                readinessPort == null ? null : readinessPath);
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

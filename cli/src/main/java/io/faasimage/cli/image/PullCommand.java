package io.faasimage.cli.image;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.ContentOutcome;
import io.faasimage.api.control.node.ContentRequest;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.cli.command.NodeAgentCommand;
import io.faasimage.cli.node.NodeMessages;
import io.faasimage.cli.terminal.Progress;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code faasimage pull IMAGE}. */
@Command(
        name = "pull",
        description = {
            "Pulls an image into containerd through faasimage, with any version of containerd.",
            "An image without a plan is pulled layer by layer; the reason is printed.",
            "With --wait, a start-up set that is not whole in the end is a failure."
        })
public final class PullCommand extends NodeAgentCommand {
    @Parameters(paramLabel = "IMAGE", description = "Reference of the image.")
    private String image;

    @Option(
            names = "--namespace",
            description = "containerd's namespace (default: $CONTAINERD_NAMESPACE, else default).",
            defaultValue = "${env:CONTAINERD_NAMESPACE:-default}")
    private String namespace;

    @Option(
            names = "--wait",
            description = "Return when the whole prefetch list is present (default: when containers may start).")
    private boolean wait;

    @Option(
            names = "--content",
            description = "Also fetch the layers into containerd, for export, push and conversion.")
    private boolean content;

    /**
     * What is printed.
     *
     * @param pull its outcome, whose fields are those of the whole
     * @param content what of the layers was fetched; null when they were not wanted
     */
    private record Pulled(
            @JsonUnwrapped PullOutcome pull,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            ContentOutcome content) {}

    @Override
    protected void run(ControlClient node) throws IOException {
        try (Progress progress = output.progress()) {
            Pulled result = pull(node, progress);
            output.print(result, out -> {
                out.println("pulled " + image);
                NodeMessages.describe(result, "  ", out);
            });
            int missing = result.pull().objectsMissing();
            if (wait && missing > 0) {
                throw new IOException(
                        missing + " objects that a start of " + image + " reads were not fetched; they are"
                                + " fetched on demand; `faasimage node status` shows the reason");
            }
        }
    }

    private Pulled pull(ControlClient node, Progress progress) throws IOException {
        PullOutcome pull = node.call(
                NodeOperations.PULL,
                new PullRequest(image, namespace, wait),
                event -> NodeMessages.show(progress, event));
        return new Pulled(
                pull,
                content
                        ? node.call(
                                NodeOperations.CONTENT,
                                new ContentRequest(image, namespace),
                                event -> NodeMessages.show(progress, event))
                        : null);
    }
}

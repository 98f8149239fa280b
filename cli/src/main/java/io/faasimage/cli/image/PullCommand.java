package io.faasimage.cli.image;

import io.faasimage.api.control.ControlClient;
import io.faasimage.cli.command.NodeAgentCommand;
import io.faasimage.cli.node.NodeEvents;
import io.faasimage.cli.terminal.Progress;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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

    @Override
    protected void run(ControlClient node) throws IOException {
        try (Progress progress = output.progress()) {
            JsonNode result = node.call(
                    "pull",
                    Map.of("image", image, "namespace", namespace, "wait", wait),
                    event -> NodeEvents.show(progress, event));
            if (content && result instanceof ObjectNode both) {
                both.set(
                        "content",
                        node.call(
                                "content",
                                Map.of("image", image, "namespace", namespace),
                                event -> NodeEvents.show(progress, event)));
            }
            output.print(result, out -> {
                out.println("pulled " + image);
                NodeEvents.describe(result, "  ", out);
            });
            int missing = result.path("objectsMissing").asInt(0);
            if (wait && missing > 0) {
                throw new IOException(
                        missing + " objects that a start of " + image + " reads were not fetched; they are"
                                + " fetched on demand; `faasimage node status` shows the reason");
            }
        }
    }
}

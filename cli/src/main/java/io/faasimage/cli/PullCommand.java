package io.faasimage.cli;

import io.faasimage.api.control.ControlClient;
import java.io.IOException;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code faasimage pull IMAGE}. */
@Command(
        name = "pull",
        description = {
            "Pulls an image into containerd through faasimage, with any version of containerd.",
            "An image without a plan is pulled in the ordinary way; the reason is printed."
        })
final class PullCommand extends NodeAgentCommand {
    @Parameters(paramLabel = "IMAGE", description = "Reference of the image.")
    private String image;

    @Option(names = "--namespace", description = "containerd namespace.", defaultValue = "default")
    private String namespace;

    @Option(
            names = "--wait",
            description = "Return only when everything that a start reads is here; without, when containers may start.")
    private boolean wait;

    @Override
    void run(ControlClient node) throws IOException {
        try (Progress progress = output.progress()) {
            JsonNode result = node.call(
                    "pull",
                    Map.of("image", image, "namespace", namespace, "wait", wait),
                    event -> NodeEvents.show(progress, event));
            output.print(result, out -> {
                out.println("pulled " + image);
                NodeEvents.describe(result, "  ", out);
            });
        }
    }
}

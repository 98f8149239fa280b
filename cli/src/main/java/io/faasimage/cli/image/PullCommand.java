package io.faasimage.cli.image;

import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.Operation;
import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.cli.command.NodeAgentCommand;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.node.NodeMessages;
import io.faasimage.cli.terminal.Progress;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** {@code faasimage pull IMAGE}. */
public final class PullCommand extends NodeAgentCommand {
    private final Argument<String> image = arguments.parameter("IMAGE", "Reference of the image.");
    private final Argument<String> namespace = arguments
            .option("--namespace", "NAME", "containerd's namespace.")
            .from("CONTAINERD_NAMESPACE")
            .or("default");
    private final Argument<Boolean> wait = arguments.flag(
            "--wait", "Return when the whole prefetch list is present (default: when containers may start).");
    private final Argument<Boolean> content =
            arguments.flag("--content", "Also fetch the layers into containerd, for export, push and conversion.");

    @Override
    protected void run(ControlClient node) throws IOException {
        try (Progress progress = output.progress()) {
            JsonFields pull = call(
                    node,
                    NodeOperations.PULL,
                    Map.of("image", image.get(), "namespace", namespace.get(), "wait", wait.get()),
                    progress);
            Map<String, Object> result = new LinkedHashMap<>(pull.all());
            if (content.get()) {
                Map<String, Object> request = Map.of("image", image.get(), "namespace", namespace.get());
                result.put(
                        "content",
                        call(node, NodeOperations.CONTENT, request, progress).all());
            }
            output.print(result, out -> {
                out.println("pulled " + image.get());
                NodeMessages.describe(result, "  ", out);
            });
            long missing = pull.number("objectsMissing", 0);
            if (wait.get() && missing > 0) {
                throw new IOException(
                        missing + " objects that a start of " + image.get() + " reads were not fetched; they are"
                                + " fetched on demand; `faasimage node status` shows the reason");
            }
        }
    }

    /** The agent's answer as it is: data binding would take longer than the pull of an image that is present. */
    private static JsonFields call(
            ControlClient node, Operation<?, ?, ?> operation, Map<String, Object> request, Progress progress)
            throws IOException {
        return node.call(operation.plain(), JsonFields.of(request), event -> NodeMessages.show(progress, event));
    }
}

package io.faasimage.cli.command;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.image.ImageInfo;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The addresses of registry-service and the node agent. */
public final class Connections {
    @Option(
            names = "--url",
            split = ",",
            paramLabel = "URL[,URL]",
            description = "Address of registry-service, or of its replicas, tried in turn (default: $FAASIMAGE_URL,"
                    + " else http://127.0.0.1:8980).",
            defaultValue = "${env:FAASIMAGE_URL:-http://127.0.0.1:8980}")
    private List<URI> addresses;

    @Option(
            names = "--token",
            description = "Its token (default: $FAASIMAGE_TOKEN).",
            defaultValue = "${env:FAASIMAGE_TOKEN}")
    private @Nullable String token;

    @Option(
            names = "--node-socket",
            description = "Control socket of the node agent (default: $FAASIMAGE_NODE, else /run/faasimage/node.sock).",
            defaultValue = "${env:FAASIMAGE_NODE:-/run/faasimage/node.sock}")
    private Path nodeSocket;

    public ServiceClient registry() {
        Optional<String> bearer = Optional.ofNullable(token).filter(t -> !t.isEmpty());
        return new ServiceClient(ServiceConfig.of(addresses, () -> bearer));
    }

    public ControlClient node() {
        return new ControlClient(nodeSocket);
    }

    /** The image that {@code text} names: a manifest digest, a reference as registered, or a function. */
    public static ImageInfo image(ServiceClient registry, String text) throws IOException {
        List<ImageInfo> images = registry.images();
        Optional<ImageInfo> byName = images.stream()
                .filter(i -> i.digest().equals(text)
                        || i.name().equals(text)
                        || i.functions().contains(text))
                .findFirst();
        if (byName.isPresent()) {
            return byName.get();
        }
        Optional<String> byFunction = registry.functions().stream()
                .filter(f -> f.image().equals(text))
                .map(f -> f.digest())
                .findFirst();
        return images.stream()
                .filter(i -> byFunction.filter(i.digest()::equals).isPresent())
                .findFirst()
                .orElseThrow(() -> new IOException("no image or function is registered as '" + text
                        + "'; register it with: faasimage register IMAGE"));
    }
}

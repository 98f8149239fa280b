package io.faasimage.cli.command;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.image.ImageInfo;
import io.faasimage.cli.line.Argument;
import io.faasimage.cli.line.ArgumentGroup;
import io.faasimage.cli.line.Arguments;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The addresses of registry-service and the node agent. */
public final class Connections implements ArgumentGroup {
    private final Arguments arguments = new Arguments();

    private final Argument<List<URI>> addresses = arguments
            .list("--url", "URL[,URL]", "Address of registry-service, or of its replicas, tried in turn.", URI::create)
            .from("FAASIMAGE_URL")
            .or("http://127.0.0.1:8980");
    private final Argument<String> token = arguments
            .option("--token", "TOKEN", "Its token (default: $FAASIMAGE_TOKEN, else that of `faasimage login`).")
            .from("FAASIMAGE_TOKEN");
    private final Argument<Path> authorities = arguments
            .option(
                    "--service-ca",
                    "FILE",
                    "PEM file with certificate authorities of registry-service, in addition to the JVM's own.",
                    Path::of)
            .from("FAASIMAGE_CA");
    private final Argument<Path> certificate = arguments
            .option("--service-cert", "FILE", "PEM file with a certificate to present to registry-service.", Path::of)
            .from("FAASIMAGE_CERT");
    private final Argument<Path> key = arguments
            .option("--service-key", "FILE", "PEM file with its private key, PKCS #8.", Path::of)
            .from("FAASIMAGE_KEY");
    private final Argument<String> serviceName = arguments.option(
            "--service-name",
            "NAME",
            "Name that registry-service's certificate must have (default: the one in its address).");
    private final Argument<Boolean> insecure = arguments
            .flag(
                    "--insecure",
                    "Send the token to another machine over plain HTTP, where others can read it "
                            + "(default: $FAASIMAGE_INSECURE, true or false).")
            .from("FAASIMAGE_INSECURE");
    private final Argument<Path> nodeSocket = arguments
            .option("--node-socket", "SOCKET", "Control socket of the node agent.", Path::of)
            .from("FAASIMAGE_NODE")
            .or("/run/faasimage/node.sock");

    @Override
    public Arguments arguments() {
        return arguments;
    }

    /** The addresses of the service, or of its replicas. */
    public List<URI> addresses() {
        return List.copyOf(addresses.get());
    }

    /**
     * A client that presents the given token, else the one that was stored for these addresses.
     *
     * @throws IOException when the stored tokens cannot be read
     */
    public ServiceClient registry() throws IOException {
        Optional<String> given = Optional.ofNullable(token.orNull());
        return registry(given.isPresent() ? given : StoredTokens.ofUser().find(addresses.get()));
    }

    /** A client that presents this token. */
    public ServiceClient registry(String presented) {
        return registry(Optional.of(presented));
    }

    private ServiceClient registry(Optional<String> bearer) {
        TransportOptions transport = new TransportOptions(
                Optional.ofNullable(authorities.orNull()),
                Optional.ofNullable(certificate.orNull()),
                Optional.ofNullable(key.orNull()),
                Optional.ofNullable(serviceName.orNull()),
                insecure.get());
        if (bearer.isPresent()) {
            transport.check(addresses.get(), "--insecure");
        }
        return new ServiceClient(ServiceConfig.of(addresses.get(), () -> bearer).withTransport(transport));
    }

    public ControlClient node() {
        return new ControlClient(nodeSocket.get());
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

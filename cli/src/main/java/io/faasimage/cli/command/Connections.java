package io.faasimage.cli.command;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TransportOptions;
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
            description = "Its token (default: $FAASIMAGE_TOKEN, else that of `faasimage login`).",
            defaultValue = "${env:FAASIMAGE_TOKEN}")
    private @Nullable String token;

    @Option(
            names = "--service-ca",
            paramLabel = "FILE",
            description = "PEM file with certificate authorities of registry-service, in addition to the JVM's own"
                    + " (default: $FAASIMAGE_CA).",
            defaultValue = "${env:FAASIMAGE_CA}")
    private @Nullable Path authorities;

    @Option(
            names = "--service-cert",
            paramLabel = "FILE",
            description = "PEM file with a certificate to present to registry-service (default: $FAASIMAGE_CERT).",
            defaultValue = "${env:FAASIMAGE_CERT}")
    private @Nullable Path certificate;

    @Option(
            names = "--service-key",
            paramLabel = "FILE",
            description = "PEM file with its private key, PKCS #8 (default: $FAASIMAGE_KEY).",
            defaultValue = "${env:FAASIMAGE_KEY}")
    private @Nullable Path key;

    @Option(
            names = "--service-name",
            paramLabel = "NAME",
            description = "Name that registry-service's certificate must have (default: the one in its address).")
    private @Nullable String serviceName;

    @Option(
            names = "--insecure",
            description = "Send the token to another machine over plain HTTP, where others can read it (default:"
                    + " $FAASIMAGE_INSECURE, true or false).",
            defaultValue = "${env:FAASIMAGE_INSECURE:-false}")
    private boolean insecure;

    @Option(
            names = "--node-socket",
            description = "Control socket of the node agent (default: $FAASIMAGE_NODE, else /run/faasimage/node.sock).",
            defaultValue = "${env:FAASIMAGE_NODE:-/run/faasimage/node.sock}")
    private Path nodeSocket;

    /** The addresses of the service, or of its replicas. */
    public List<URI> addresses() {
        return List.copyOf(addresses);
    }

    /**
     * A client that presents the given token, else the one that was stored for these addresses.
     *
     * @throws IOException when the stored tokens cannot be read
     */
    public ServiceClient registry() throws IOException {
        Optional<String> given = Optional.ofNullable(token).filter(t -> !t.isEmpty());
        return registry(given.isPresent() ? given : StoredTokens.ofUser().find(addresses));
    }

    /** A client that presents this token. */
    public ServiceClient registry(String presented) {
        return registry(Optional.of(presented));
    }

    private ServiceClient registry(Optional<String> bearer) {
        TransportOptions transport = new TransportOptions(
                Optional.ofNullable(authorities),
                Optional.ofNullable(certificate),
                Optional.ofNullable(key),
                Optional.ofNullable(serviceName),
                insecure);
        if (bearer.isPresent()) {
            transport.check(addresses, "--insecure");
        }
        return new ServiceClient(ServiceConfig.of(addresses, () -> bearer).withTransport(transport));
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

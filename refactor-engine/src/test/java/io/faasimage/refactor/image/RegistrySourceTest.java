package io.faasimage.refactor.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.TestImages;
import io.faasimage.refactor.TestImages.Layer;
import io.faasimage.refactor.TestImages.Packing;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.testing.RegistryServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistrySourceTest extends ImageSourceContract {
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String SMALL = "{\"digest\":\"" + Digest.of(new byte[0]) + "\",\"size\":10}";
    private static final byte[] MANIFEST_OF_A_SMALL_CONFIG = ("{\"schemaVersion\":2,\"mediaType\":\"" + MANIFEST
                    + "\",\"config\":" + SMALL + ",\"layers\":[" + SMALL + "]}")
            .getBytes(StandardCharsets.UTF_8);
    private static final String INDEX = "application/vnd.oci.image.index.v1+json";

    @SuppressWarnings("NullAway.Init")
    private RegistryServer registry;

    @BeforeEach
    void startRegistry() throws Exception {
        registry = RegistryServer.start(temp);
    }

    @AfterEach
    void stopRegistry() throws IOException {
        registry.close();
    }

    @Override
    ImageLocation publish(List<Layer> layers) throws Exception {
        Path layout = temp.resolve("layout");
        TestImages.layout(layout, layers);
        for (Layer layer : layers) {
            registry.pushBlob("example/app", layer.blob());
        }
        registry.pushBlob("example/app", TestImages.config(layers).getBytes(StandardCharsets.UTF_8));
        registry.pushManifest("example/app", "1", MANIFEST, Files.readAllBytes(layout.resolve("manifest")));
        return ImageLocation.parse(registry.host() + "/example/app:1");
    }

    @Override
    void damageFirstLayer(List<Layer> layers) throws Exception {
        String hex = Digest.of(layers.getFirst().blob()).hex();
        flip(temp.resolve("data/docker/registry/v2/blobs/sha256/" + hex.substring(0, 2) + "/" + hex + "/data"));
    }

    @Test
    void indexLeadsToThePlatform() throws Exception {
        publish(List.of(new Layer("one".getBytes(StandardCharsets.UTF_8), Packing.GZIP)));
        byte[] manifest = Files.readAllBytes(temp.resolve("layout/manifest"));
        byte[] index = ("{\"schemaVersion\":2,\"mediaType\":\"" + INDEX + "\",\"manifests\":[{\"mediaType\":\""
                        + MANIFEST
                        + "\",\"digest\":\"" + Digest.of(manifest) + "\",\"size\":" + manifest.length
                        + ",\"platform\":{\"os\":\"linux\",\"architecture\":\"amd64\"}}]}")
                .getBytes(StandardCharsets.UTF_8);
        registry.pushManifest("example/app", "multi", INDEX, index);
        ImageLocation reference = ImageLocation.parse(registry.host() + "/example/app:multi");
        try (ImageSource source = ImageSources.open(reference, SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(AMD64);
            assertThat(image.manifest()).isEqualTo(Digest.of(manifest));
            assertThat(image.index()).contains(Digest.of(index));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"manifests", "blobs"})
    @Timeout(60)
    void endlessAnswersEndAtTheLimit(String endless) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> serve(server, endless));
            ImageLocation reference = ImageLocation.parse("127.0.0.1:" + server.getLocalPort() + "/example/app:1");
            SourceOptions options = SourceOptions.defaults().withBudget(new ImageBudget(1, 1 << 20, 1, 1, 1, 1, 1, 1));
            try (ImageSource source = ImageSources.open(reference, options)) {
                assertThatThrownBy(() -> source.resolve(AMD64))
                        .isInstanceOfSatisfying(
                                RefactorException.class,
                                e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT));
            }
        }
    }

    private static void serve(ServerSocket server, String endless) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                answer(socket, endless);
            } catch (IOException e) {
                // The client has gone: the next one.
            }
        }
    }

    private static void answer(Socket socket, String endless) throws IOException {
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        OutputStream out = socket.getOutputStream();
        int first = in.read();
        if (first != 'G') {
            out.write("HTTP/1.1 400 no TLS here\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        String path = in.readLine();
        while (!in.readLine().isEmpty()) {
            // Headers do not matter.
        }
        out.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        while (path.contains(endless)) {
            out.write(new byte[8192]);
        }
        if (path.contains("manifests")) {
            out.write(MANIFEST_OF_A_SMALL_CONFIG);
        }
    }

    @Test
    void aRangeOfALayerIsGiven() throws Exception {
        byte[] bytes = new byte[300_000];
        new Random(1).nextBytes(bytes);
        Layer layer = new Layer(bytes, Packing.PLAIN);
        try (ImageSource source = ImageSources.open(publish(List.of(layer)), SourceOptions.defaults())) {
            LayerDescriptor descriptor = source.resolve(AMD64).layers().getFirst();
            assertThat(source.range(descriptor, 131_072, 1_000))
                    .hasValue(Arrays.copyOfRange(layer.blob(), 131_072, 132_072));
            assertThat(source.range(descriptor, 400_000, 1_000)).isEmpty();
            LayerDescriptor missing =
                    new LayerDescriptor(Digest.of(new byte[] {1}), descriptor.size(), descriptor.mediaType());
            assertThat(source.range(missing, 0, 10)).isEmpty();
        }
    }

    @Test
    void unknownImageIsNotFound() throws Exception {
        ImageLocation reference = ImageLocation.parse(registry.host() + "/example/none:1");
        try (ImageSource source = ImageSources.open(reference, SourceOptions.defaults())) {
            assertThatThrownBy(() -> source.resolve(AMD64))
                    .isInstanceOfSatisfying(
                            RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND));
        }
    }

    @Test
    void stoppedRegistryIsUnavailable() throws Exception {
        registry.close();
        ImageLocation reference = ImageLocation.parse(registry.host() + "/example/app:1");
        try (ImageSource source = ImageSources.open(reference, SourceOptions.defaults())) {
            assertThatThrownBy(() -> source.resolve(AMD64))
                    .isInstanceOfSatisfying(
                            RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
        }
    }
}

package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.testing.RegistryServer;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real registry that is read through a real cache. */
class ProxyCacheIT {
    private static final String REPOSITORY = "team/image";
    private static final byte[] CONTENT = "the layer".getBytes(StandardCharsets.UTF_8);
    private static final Digest BLOB = Digest.of(CONTENT);
    private static final Digest MARK = Digest.of("not there".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path directory;

    private OciRegistry client(Mirrors mirrors) {
        OciRegistry.Options usual = OciRegistryTest.options(_ -> Optional.empty());
        return new OciRegistry(new OciRegistry.Options(
                usual.policy(), usual.logins(), usual.tls(), usual.answer(), usual.answer(), usual.rate(), 1, mirrors));
    }

    private static void read(OciRegistry client, ImageReference image) throws IOException {
        try (InputStream in = client.open(image, BLOB)) {
            assertThat(in.readAllBytes()).isEqualTo(CONTENT);
        }
    }

    private static long reads(RegistryServer server, Digest blob) throws IOException {
        return server.log()
                .lines()
                .filter(line -> line.contains("GET /v2/" + REPOSITORY + "/blobs/" + blob))
                .count();
    }

    @Test
    void theSecondReadOfABlobIsTheCachesAlone() throws Exception {
        Path hosts = directory.resolve("certs.d");
        try (RegistryServer origin = RegistryServer.start(directory.resolve("origin"));
                RegistryServer cache = RegistryServer.startProxy(directory.resolve("cache"), origin);
                OciRegistry cached = client(new HostDirectories(List.of(hosts), Optional.empty(), _ -> {}));
                OciRegistry direct = client(Mirrors.NONE)) {
            origin.pushBlob(REPOSITORY, CONTENT);
            Path own = Files.createDirectories(hosts.resolve(origin.host()));
            Files.writeString(own.resolve("hosts.toml"), "[host.'http://" + cache.host() + "']\n");
            ImageReference image = ImageReference.parse(origin.host() + "/" + REPOSITORY + ":1");
            read(cached, image);
            Wait.until("the cache to have it", () -> cache.holds(REPOSITORY, BLOB.hex()));
            mark(origin, direct, image, 1);
            long before = reads(origin, BLOB);
            assertThat(before).as("reads by the cache").isPositive();
            read(cached, image);
            mark(origin, direct, image, 2);
            assertThat(reads(origin, BLOB)).isEqualTo(before);
            Wait.until("two reads at the cache", () -> reads(cache, BLOB) >= 2);
            assertThat(cache.log()).contains("?ns=" + origin.host().replace(":", "%3A"));
        }
    }

    /** Until the origin has logged a later request, so that it has logged all earlier ones. */
    private static void mark(RegistryServer origin, OciRegistry direct, ImageReference image, int count) {
        assertThatThrownBy(() -> direct.blob(image, MARK, 10)).hasMessageContaining("404");
        Wait.until("the log of the origin", () -> reads(origin, MARK) >= count);
    }
}

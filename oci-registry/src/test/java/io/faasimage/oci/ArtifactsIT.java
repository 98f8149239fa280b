package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.Artifacts.Attached;
import io.faasimage.oci.Referrers.Referrer;
import io.faasimage.oci.RegistryLogins.Login;
import io.faasimage.testing.RegistryServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Artifacts at the docker-registry program, which lists no referrers itself. */
@Timeout(120)
class ArtifactsIT {
    private static final String TYPE = "application/vnd.test.plan.v1+json";
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);
    private static final Map<String, String> NOTES = Map.of("plan", "x");

    @TempDir
    private Path directory;

    @Test
    void artifactsAreListedByTheTagUntilTheyAreRemoved() throws Exception {
        try (RegistryServer server = RegistryServer.start(directory);
                OciRegistry registry = new OciRegistry(OciRegistryTest.options(_ -> Optional.empty()))) {
            artifacts(ImageReference.parse(server.host() + "/team/app:1"), registry);
        }
    }

    @Test
    void soTheyAreBehindTlsAndALogin() throws Exception {
        Login login = new Login(RegistryServer.USER, RegistryServer.PASSWORD);
        try (RegistryServer server = RegistryServer.startPrivate(directory, "localhost");
                OciRegistry registry = new OciRegistry(OciRegistryTest.options(_ -> Optional.of(login)))) {
            artifacts(ImageReference.parse(server.host() + "/team/app:1"), registry);
        }
    }

    private static void artifacts(ImageReference image, OciRegistry registry) throws IOException {
        OciPush push = new OciPush(registry);
        Artifacts artifacts = new Artifacts(registry);
        byte[] pack = new byte[3_000_000];
        new Random(1).nextBytes(pack);
        assertThat(blob(push, image, CONFIG)).isTrue();
        assertThat(blob(push, image, CONFIG)).isFalse();
        assertThat(blob(push, image, pack)).isTrue();
        byte[] manifest = manifest("\"layers\": []");
        assertThat(push.manifest(image, manifest, OciRegistry.MANIFEST)).isFalse();
        ImageReference subject = image.at(Digest.of(manifest));
        assertThat(registry.referrers(subject, TYPE)).isEqualTo(new Referrers(List.of(), false, 2));

        byte[] one = artifact(subject, manifest.length, pack, "one");
        byte[] two = artifact(subject, manifest.length, pack, "two");
        assertThat(artifacts.attach(subject, one, TYPE, NOTES)).isEqualTo(new Attached(Digest.of(one), true));
        assertThat(artifacts.attach(subject, two, TYPE, NOTES)).isEqualTo(new Attached(Digest.of(two), true));
        assertThat(registry.referrers(subject, TYPE))
                .isEqualTo(new Referrers(List.of(referrer(one), referrer(two)), true, 1));
        assertThat(registry.manifest(subject.at(Digest.of(two)), 10_000).bytes())
                .isEqualTo(two);
        try (InputStream in = registry.open(subject, Digest.of(pack), 1_000_000, 2_500_000)) {
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(pack, 1_000_000, 2_500_000));
        }

        assertThat(artifacts.detach(subject, Digest.of(one))).isTrue();
        assertThat(registry.referrers(subject, TYPE).list()).containsExactly(referrer(two));
        assertThat(artifacts.detach(subject, Digest.of(one))).isFalse();
        assertThat(artifacts.detach(subject, Digest.of(two))).isTrue();
        assertThat(registry.referrers(subject, TYPE).list()).isEmpty();
        assertThat(artifacts.attach(subject, two, TYPE, NOTES)).isEqualTo(new Attached(Digest.of(two), true));
        assertThat(registry.referrers(subject, TYPE).list()).containsExactly(referrer(two));
    }

    private static boolean blob(OciPush push, ImageReference image, byte[] blob) throws IOException {
        return push.blob(image, Digest.of(blob), blob.length, () -> new ByteArrayInputStream(blob));
    }

    private static Referrer referrer(byte[] manifest) {
        return new Referrer(Digest.of(manifest), manifest.length, NOTES);
    }

    private static byte[] artifact(ImageReference subject, int size, byte[] pack, String name) {
        return manifest("""
                "artifactType": "%s", "annotations": {"name": "%s"},
                "layers": [{"mediaType": "application/x", "digest": "%s", "size": %d}],
                "subject": {"mediaType": "%s", "digest": "%s", "size": %d}
                """.formatted(
                        TYPE, name, Digest.of(pack), pack.length, OciRegistry.MANIFEST, subject.qualifier(), size));
    }

    private static byte[] manifest(String fields) {
        return """
                {"schemaVersion": 2, "mediaType": "%s",
                 "config": {"mediaType": "application/vnd.oci.empty.v1+json", "digest": "%s", "size": 2}, %s}
                """.formatted(OciRegistry.MANIFEST, Digest.of(CONFIG), fields).getBytes(StandardCharsets.UTF_8);
    }
}

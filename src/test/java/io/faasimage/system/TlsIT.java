package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service with HTTPS whose clients present certificates, and the renewal of both. */
final class TlsIT {
    private static final Duration RELOADED = Duration.ofSeconds(60);

    @TempDir
    private Path work;

    @Test
    void aColdStartOverTlsBeforeAndAfterARenewal() throws IOException, InterruptedException {
        try (Cluster cluster = Cluster.start(ClusterOptions.tls())) {
            Certificates certificates = cluster.certificates();
            BusyboxImages images = new BusyboxImages(cluster, work);
            String image = images.planned("tls");
            assertStarts(cluster, image);
            assertOthersAreRefused(cluster);
            assertCertificatesIdentify(cluster);
            String first = certificates.presented(cluster.serviceAddress());
            String renewed = certificates.renewService();
            certificates.renewClient();
            assertThat(renewed).isNotEqualTo(first);
            Wait.until(
                    RELOADED,
                    "the renewed certificate",
                    () -> certificates.presented(cluster.serviceAddress()).equals(renewed));
            images.forget(image);
            cluster.agent.prune();
            assertStarts(cluster, image);
        }
    }

    private static void assertStarts(Cluster cluster, String image) throws IOException, InterruptedException {
        assertThat(cluster.agent.pull(image).way()).isEqualTo("planned");
        cluster.containers.runWaiting(image, "tls");
        assertThat(cluster.containers
                        .exec("tls", "cat /app/start.txt /app/late3.txt")
                        .ok())
                .isEqualTo("read at the start of tls\nlate 3 of tls\n");
        cluster.containers.remove("tls");
    }

    private static void assertOthersAreRefused(Cluster cluster) throws IOException, InterruptedException {
        assertRefused(cluster, Map.of("FAASIMAGE_CERT", "", "FAASIMAGE_KEY", ""), "certificate");
        assertRefused(cluster, Map.of("FAASIMAGE_CA", ""), "certification path");
        Shell.Result plain = cluster.faasimage("functions", "--url", "http://192.0.2.1:8980");
        assertThat(plain.exit()).isEqualTo(2);
        assertThat(plain.err()).contains("the token is not sent to http://192.0.2.1:8980", "--insecure");
    }

    /** The node has no token; its certificate has the permissions of nodes. */
    private static void assertCertificatesIdentify(Cluster cluster) throws IOException, InterruptedException {
        assertThat(cluster.faasimageJson("nodes").path(0).path("name").asString())
                .isEqualTo(Certificates.NODE);
        Map<String, String> environment = new HashMap<>(cluster.environment());
        environment.put("FAASIMAGE_TOKEN", "");
        Shell.Result refused = cluster.faasimage(environment, "functions");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("requires the scope", "the certificate of tls-node has node");
    }

    private static void assertRefused(Cluster cluster, Map<String, String> without, String reason)
            throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(cluster.environment());
        environment.keySet().removeAll(without.keySet());
        Shell.Result refused = cluster.faasimage(environment, "functions");
        assertThat(refused.exit()).as(refused.err()).isEqualTo(3);
        assertThat(refused.err()).contains(reason);
    }
}

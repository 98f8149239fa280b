package io.faasimage.registry.store.blob;

import static io.faasimage.registry.store.blob.StoreDownIT.CONTENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.TestService;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the cost of serving for a bucket: requests, and connections. */
@Timeout(180)
class BucketRequestsIT {
    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @TempDir
    Path directory;

    @Test
    void anObjectThatAStartMissesIsOneRequestAndWithTheCacheNone() throws Exception {
        assertThat(requestsOfAnObject("plain", 0)).isOne();
        assertThat(requestsOfAnObject("cached", 200)).isZero();
    }

    private int requestsOfAnObject(String name, int cacheMegabytes) throws Exception {
        Path data = directory.resolve(name);
        URI store = URI.create(Objects.requireNonNull(STORE.settings(data).get("faasimage.blobs.s3.endpoint")));
        try (CountingRelay relay = new CountingRelay(store);
                TestService service = TestService.start(
                        data,
                        "--faasimage.blobs.s3.endpoint=" + relay.address(),
                        "--faasimage.blobs.cache-bytes=" + cacheMegabytes + "MB")) {
            StoreDownIT.planned(service, "one", CONTENT);
            int before = relay.requests();
            assertThat(StoreDownIT.frame(service, CONTENT.getFirst()).statusCode())
                    .isEqualTo(200);
            return relay.requests() - before;
        }
    }

    @Test
    void bundlesBeyondTheConnectionsAreToldToComeAgainAndObjectsGoOn() throws Exception {
        try (TestService service = TestService.start(directory, "--faasimage.blobs.s3.connections=4")) {
            Digest plan = StoreDownIT.planned(service, "one", CONTENT);
            BundleRequest request = BundleRequest.exact(plan, List.of(new IndexRange(0, StoreDownIT.FRAMES)), 0);
            List<BundleStream> slow = new ArrayList<>();
            try {
                for (int i = 0; i < 4; i++) {
                    BundleStream bundle = service.client().bundle(request);
                    slow.add(bundle);
                    assertThat(bundle.body().read()).isNotNegative();
                }
                assertThatThrownBy(() -> service.client().bundle(request))
                        .hasMessageContaining("--faasimage.blobs.s3.connections")
                        .isInstanceOfSatisfying(ServiceException.class, e -> {
                            assertThat(e.status()).isEqualTo(429);
                            assertThat(e.retryAfter()).isPresent();
                        });
                assertThat(StoreDownIT.frame(service, CONTENT.getFirst()).statusCode())
                        .isEqualTo(200);
            } finally {
                for (BundleStream bundle : slow) {
                    bundle.close();
                }
            }
        }
    }
}

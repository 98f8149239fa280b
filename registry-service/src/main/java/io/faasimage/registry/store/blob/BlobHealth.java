package io.faasimage.registry.store.blob;

import java.io.IOException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/** The health of the store of blobs, as a part of {@code /actuator/health}. */
@Component("blobs")
final class BlobHealth implements HealthIndicator {
    private final BlobStore blobs;

    BlobHealth(BlobStore blobs) {
        this.blobs = blobs;
    }

    @Override
    public Health health() {
        try {
            blobs.check();
            return Health.up().build();
        } catch (IOException e) {
            return Health.down(e).build();
        }
    }
}

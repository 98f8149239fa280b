package io.faasimage.registry.store.blob;

import io.faasimage.registry.platform.config.BlobSettings;
import io.faasimage.registry.platform.config.DataDirectory;
import io.faasimage.registry.platform.config.StartFailure;
import java.io.IOException;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configured store of blobs; classes of the other are not loaded. */
@Configuration(proxyBeanMethods = false)
class BlobConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(BlobConfiguration.class);

    @Bean
    BlobStore blobStore(BlobSettings settings, DataDirectory data, Clock clock) throws IOException {
        return switch (settings.store()) {
            case DIRECTORY -> new DirectoryBlobs(data.root());
            case S3 -> s3(settings, data, clock);
        };
    }

    private static BlobStore s3(BlobSettings settings, DataDirectory data, Clock clock) throws IOException {
        try {
            S3Blobs bucket = S3Blobs.open(settings.s3(), clock);
            BlobStore store = settings.cacheBytes().toBytes() == 0
                    ? bucket
                    : new CachedBlobs(
                            bucket, data.blobCache(), settings.cacheBytes().toBytes(), clock);
            try {
                store.check();
            } catch (BlobsDownException e) {
                LOG.warn("{}", e.getMessage());
            }
            return store;
        } catch (RuntimeException e) {
            throw new StartFailure("--faasimage.blobs.s3 cannot be used: " + e.getMessage(), e);
        }
    }
}

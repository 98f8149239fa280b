package io.faasimage.registry.blob;

import io.faasimage.registry.config.BlobSettings;
import io.faasimage.registry.config.DataDirectory;
import io.faasimage.registry.config.ImageRegistrySettings;
import io.faasimage.registry.config.StartFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configured store of blobs; classes of the other are not loaded. */
@Configuration(proxyBeanMethods = false)
class BlobConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(BlobConfiguration.class);

    @Bean
    BlobStore blobStore(BlobSettings settings, ImageRegistrySettings images, DataDirectory data, Clock clock)
            throws IOException {
        return switch (settings.store()) {
            case DIRECTORY -> directory(data.root(), !images.publicImages().isEmpty());
            case S3 -> {
                if (!images.publicImages().isEmpty()) {
                    throw new StartFailure("--faasimage.public-images cannot be used with --faasimage.blobs.store=s3:"
                            + " a bucket has no hard links, and each tenant's blobs stay objects of their own");
                }
                yield s3(settings, data, clock);
            }
        };
    }

    private static BlobStore directory(Path root, boolean sharing) throws IOException {
        PublicPacks packs = new PublicPacks(root);
        Optional<PublicPacks> shared = sharing ? Optional.of(packs) : Optional.empty();
        return new TenantBlobs(
                new DirectoryBlobs(root, shared), tenant -> new DirectoryBlobs(packs.tenant(tenant.text()), shared));
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
            return new TenantBlobs(store, tenant -> bucket.below("tenants/" + tenant + "/"));
        } catch (RuntimeException e) {
            throw new StartFailure("--faasimage.blobs.s3 cannot be used: " + e.getMessage(), e);
        }
    }
}

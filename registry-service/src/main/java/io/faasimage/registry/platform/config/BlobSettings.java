package io.faasimage.registry.platform.config;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the store of packs, metadata images, plans, traces and layer indexes, as
 * {@code --faasimage.blobs.<name>=<value>}.
 *
 * @param store {@code directory}, which is the data directory, or {@code s3}
 * @param cacheBytes how much of packs and metadata images in S3 is kept in the data directory, too, from where they are
 *     sent faster; none when 0
 * @param s3 the bucket
 */
@ConfigurationProperties("faasimage.blobs")
public record BlobSettings(
        @DefaultValue("directory") Store store,
        @DefaultValue("0B") DataSize cacheBytes,
        @DefaultValue S3 s3) {
    /**
     * A bucket. Credentials come from the standard places: environment, system properties, a web identity, a profile,
     * the container or the machine.
     *
     * @param bucket its name
     * @param prefix beginning of the keys, such as {@code faasimage/}; nothing when absent
     * @param endpoint address of the store when it is not Amazon's
     * @param region of the bucket; from the environment or profile when absent, and with an endpoint {@code us-east-1}
     *     when these have none
     * @param pathStyle whether the bucket is named in the path rather than in the host
     * @param connections bundles that are read from the bucket at the same time, with a connection each; more are
     *     answered with 429
     */
    public record S3(
            @Nullable String bucket,
            @DefaultValue("") String prefix,
            @Nullable URI endpoint,
            @Nullable String region,
            @DefaultValue("false") boolean pathStyle,
            @DefaultValue("128") int connections) {
        /** Checks the limits. */
        public S3 {
            if (prefix.startsWith("/") || prefix.contains("//") || (!prefix.isEmpty() && !prefix.endsWith("/"))) {
                throw new IllegalArgumentException(
                        "faasimage.blobs.s3.prefix must end with '/' and not begin with it, not be '" + prefix + "'");
            }
            if (connections < 4 || connections > 10_000) {
                throw new IllegalArgumentException("faasimage.blobs.s3.connections must be 4 to 10000");
            }
            region = region == null || region.isBlank() ? null : region;
        }
    }

    /** Checks settings that belong together. */
    public BlobSettings {
        if (store == Store.S3 && (s3.bucket() == null || s3.bucket().isBlank())) {
            throw new IllegalArgumentException(
                    "--faasimage.blobs.store=s3 needs a bucket: --faasimage.blobs.s3.bucket=NAME");
        }
        if (cacheBytes.isNegative() || (store == Store.DIRECTORY && cacheBytes.toBytes() > 0)) {
            throw new IllegalArgumentException("faasimage.blobs.cache-bytes must not be negative, and is for"
                    + " s3 alone: a directory needs no cache");
        }
    }
}

package io.faasimage.registry.store.blob;

import io.faasimage.registry.platform.config.BlobSettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * The clients of a bucket: two, so that nodes which read slowly, and hold a connection each, leave some for all else.
 *
 * @param requests for uploads, small blobs, and questions
 * @param streams for data that is read at the speed of others, and whole packs; the sender of bundles leaves some for
 *     the rest
 */
record S3Clients(S3Client requests, S3Client streams) implements AutoCloseable {
    /** The time that a request waits for a connection. */
    static final Duration FREE_CONNECTION = Duration.ofSeconds(5);

    /** For objects that starts wait for, and packs for the cache, while bundles have all that they may. */
    private static final int RESERVE = 16;

    /** More than all workers and downloads have at the same time. */
    private static final int REQUESTS = 32;

    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration SILENCE = Duration.ofSeconds(20);
    private static final Duration ATTEMPT = Duration.ofMinutes(2);
    private static final Duration CALL = Duration.ofMinutes(5);

    /** The clients that the settings describe. */
    static S3Clients of(BlobSettings.S3 settings) {
        Optional<Region> region = region(settings);
        return new S3Clients(
                client(settings, region, REQUESTS), client(settings, region, settings.connections() + RESERVE));
    }

    private static S3Client client(BlobSettings.S3 settings, Optional<Region> region, int connections) {
        S3ClientBuilder builder = S3Client.builder()
                .forcePathStyle(settings.pathStyle())
                // The reader of a blob verifies it, and can distinguish damage from a store that is down.
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(
                        calls -> calls.apiCallAttemptTimeout(ATTEMPT).apiCallTimeout(CALL))
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(connections)
                        .connectionTimeout(CONNECT)
                        .socketTimeout(SILENCE)
                        .connectionAcquisitionTimeout(FREE_CONNECTION));
        if (settings.endpoint() != null) {
            builder.endpointOverride(settings.endpoint());
        }
        region.ifPresent(builder::region);
        return builder.build();
    }

    /**
     * The region to sign for; empty when the SDK has to find it, of the machine too. With an endpoint the machine's is
     * not looked up: the store is not Amazon's, and most that are not take any region.
     */
    static Optional<Region> region(BlobSettings.S3 settings) {
        @Nullable String named = settings.region();
        if (named != null) {
            return Optional.of(Region.of(named));
        }
        if (settings.endpoint() == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                            .getRegion());
        } catch (SdkClientException e) {
            return Optional.of(Region.US_EAST_1);
        }
    }

    @Override
    public void close() {
        requests.close();
        streams.close();
    }
}

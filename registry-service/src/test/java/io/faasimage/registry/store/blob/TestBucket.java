package io.faasimage.registry.store.blob;

import io.faasimage.registry.OnS3;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/** A client with which a test uses the bucket beside the service. */
final class TestBucket implements AutoCloseable {
    private final S3Client client;
    private final String bucket;
    private final String prefix;

    TestBucket(OnS3 server, Path data) {
        Map<String, String> settings = server.settings(data);
        this.bucket = Objects.requireNonNull(settings.get("faasimage.blobs.s3.bucket"));
        this.prefix = Objects.requireNonNull(settings.get("faasimage.blobs.s3.prefix"));
        this.client = S3Client.builder()
                .endpointOverride(URI.create(Objects.requireNonNull(settings.get("faasimage.blobs.s3.endpoint"))))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .build();
    }

    void beginUpload(String key) {
        client.createMultipartUpload(create -> create.bucket(bucket).key(prefix + key));
    }

    int uploads() {
        return client.listMultipartUploads(list -> list.bucket(bucket).prefix(prefix))
                .uploads()
                .size();
    }

    @Override
    public void close() {
        client.close();
    }
}

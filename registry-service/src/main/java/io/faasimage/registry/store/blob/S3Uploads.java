package io.faasimage.registry.store.blob;

import io.faasimage.format.file.BoundedStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.MultipartUpload;

/** Uploads of files, large ones in parts: an incomplete upload is not visible. Thread-safe. */
final class S3Uploads {
    /** The metadata key of the digest of a blob's bytes. */
    static final String SHA256 = "sha256";

    /** With 10,000 parts at most, enough for 640 GB. */
    static final long PART_BYTES = 64L << 20;

    private static final Logger LOG = LoggerFactory.getLogger(S3Uploads.class);

    private final S3Client client;
    private final String bucket;

    S3Uploads(S3Client client, String bucket) {
        this.client = client;
        this.bucket = bucket;
    }

    /** Uploads a file. */
    void upload(Path file, long size, String key, String sha256) {
        if (size <= PART_BYTES) {
            client.putObject(
                    put -> put.bucket(bucket).key(key).metadata(Map.of(SHA256, sha256)), RequestBody.fromFile(file));
            return;
        }
        String id = client.createMultipartUpload(create -> create.bucket(bucket)
                        .key(key)
                        .metadata(Map.of(SHA256, sha256))
                        .checksumAlgorithm(ChecksumAlgorithm.CRC32))
                .uploadId();
        try {
            List<CompletedPart> parts = new ArrayList<>();
            for (long offset = 0; offset < size; offset += PART_BYTES) {
                parts.add(part(file, offset, Math.min(PART_BYTES, size - offset), key, id, parts.size() + 1));
            }
            client.completeMultipartUpload(
                    complete -> complete.bucket(bucket).key(key).uploadId(id).multipartUpload(all -> all.parts(parts)));
        } catch (RuntimeException e) {
            abort(key, id);
            throw e;
        }
    }

    private CompletedPart part(Path file, long offset, long length, String key, String id, int number) {
        ContentStreamProvider content = () -> {
            try {
                FileChannel channel = FileChannel.open(file);
                return new BoundedStream(Channels.newInputStream(channel.position(offset)), length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        var answer = client.uploadPart(
                upload -> upload.bucket(bucket)
                        .key(key)
                        .uploadId(id)
                        .partNumber(number)
                        .checksumAlgorithm(ChecksumAlgorithm.CRC32),
                RequestBody.fromContentProvider(content, length, "application/octet-stream"));
        return CompletedPart.builder()
                .partNumber(number)
                .eTag(answer.eTag())
                .checksumCRC32(answer.checksumCRC32())
                .build();
    }

    private void abort(String key, String id) {
        try {
            client.abortMultipartUpload(abort -> abort.bucket(bucket).key(key).uploadId(id));
        } catch (SdkException e) {
            LOG.warn("the uploaded parts of {} stay until a later garbage collection: {}", key, e.toString());
        }
    }

    /** Removes the parts of uploads that began long ago. */
    void abandon(String folder, Instant before) {
        for (MultipartUpload upload : client.listMultipartUploadsPaginator(
                        list -> list.bucket(bucket).prefix(folder))
                .uploads()) {
            if (upload.initiated().isBefore(before)) {
                LOG.info("the upload of {} that began at {} is abandoned", upload.key(), upload.initiated());
                abort(upload.key(), upload.uploadId());
            }
        }
    }
}

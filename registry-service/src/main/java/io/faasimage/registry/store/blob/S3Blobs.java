package io.faasimage.registry.store.blob;

import io.faasimage.registry.platform.config.BlobSettings;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Blobs in a bucket of an S3-compatible store, under the keys that they have as files in a data directory. A blob
 * appears when its upload is complete; the store verifies each part by its checksum.
 */
final class S3Blobs implements BlobStore {
    /** Only for a store that sends, but hardly anything: one that is silent is given up much earlier. */
    private static final Duration FETCH = Duration.ofHours(2);

    private static final Duration ABANDONED = Duration.ofDays(1);
    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int RANGE_NOT_SATISFIABLE = 416;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_MANY_REQUESTS = 429;

    private final S3Clients clients;
    private final S3Client client;
    private final String bucket;
    private final String prefix;
    private final String place;
    private final S3Uploads uploads;
    private final Clock clock;
    private volatile long checked = System.nanoTime() - CHECK_NANOS;

    private S3Blobs(S3Clients clients, String bucket, String prefix, String place, Clock clock) {
        this.clients = clients;
        this.client = clients.requests();
        this.bucket = bucket;
        this.prefix = prefix;
        this.place = place;
        this.uploads = new S3Uploads(client, bucket);
        this.clock = clock;
    }

    /** The bucket of the settings; it need not be there yet. */
    static S3Blobs open(BlobSettings.S3 settings, Clock clock) {
        String bucket = Objects.requireNonNull(settings.bucket());
        String place = "bucket " + bucket + (settings.endpoint() == null ? "" : " at " + settings.endpoint());
        return new S3Blobs(S3Clients.of(settings), bucket, settings.prefix(), place, clock);
    }

    private String key(Blob blob) {
        return prefix + blob;
    }

    /** Does something with the store; its failures become those of blobs. */
    private <T> T ask(String what, Supplier<T> request) throws IOException {
        try {
            return request.get();
        } catch (NoSuchKeyException e) {
            throw missing(what, e);
        } catch (S3Exception e) {
            if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
                EOFException end = new EOFException(what + ": it is shorter than it should be");
                end.initCause(e);
                throw end;
            }
            int status = e.statusCode();
            boolean refuses = status >= 400 && status < 500 && status != REQUEST_TIMEOUT && status != TOO_MANY_REQUESTS;
            throw refuses ? BlobsDownException.refused(reason(what, e), e) : down(what, e);
        } catch (SdkException e) {
            throw down(what, e);
        }
    }

    /** Variant of {@link #ask} for calls without an answer. */
    private void order(String what, Runnable request) throws IOException {
        ask(what, () -> {
            request.run();
            return true;
        });
    }

    private static NoSuchFileException missing(String what, Throwable cause) {
        NoSuchFileException missing = new NoSuchFileException(what);
        missing.initCause(cause);
        return missing;
    }

    private BlobsDownException down(String what, Exception cause) {
        return new BlobsDownException(reason(what, cause), cause);
    }

    private String reason(String what, Exception cause) {
        return "could not " + what + ", " + place + ": " + cause.getMessage()
                + "; is the store up, and do the service's credentials allow it?";
    }

    @Override
    public void publish(Map<Path, Blob> files) throws IOException {
        for (Map.Entry<Path, Blob> file : files.entrySet()) {
            Blob blob = file.getValue();
            String sha256 = FileDigest.sha256(file.getKey());
            long size = Files.size(file.getKey());
            order("store " + blob, () -> uploads.upload(file.getKey(), size, key(blob), sha256));
        }
    }

    @Override
    public void write(Blob blob, byte[] content) throws IOException {
        ask(
                "store " + blob,
                () -> client.putObject(put -> put.bucket(bucket).key(key(blob)), RequestBody.fromBytes(content)));
    }

    @Override
    public byte[] read(Blob blob) throws IOException {
        return ask(
                "read " + blob,
                () -> client.getObjectAsBytes(get -> get.bucket(bucket).key(key(blob)))
                        .asByteArray());
    }

    @Override
    public InputStream read(Blob blob, long offset, long length) throws IOException {
        if (length == 0) {
            return InputStream.nullInputStream();
        }
        GetObjectRequest part = GetObjectRequest.builder()
                .bucket(bucket)
                .key(key(blob))
                .range("bytes=" + offset + "-" + (offset + length - 1))
                .build();
        return new S3Stream(
                ask("read " + blob, () -> clients.streams().getObject(part)), cause -> down("read " + blob, cause));
    }

    /**
     * Copies all of a blob to a new file, and verifies it by the digest that it was stored with.
     *
     * @throws EOFException when the file is not the stored one
     */
    void fetch(Blob blob, Path file) throws IOException {
        GetObjectRequest whole = GetObjectRequest.builder()
                .bucket(bucket)
                .key(key(blob))
                .overrideConfiguration(call -> call.apiCallAttemptTimeout(FETCH).apiCallTimeout(FETCH))
                .build();
        GetObjectResponse stored = ask("read " + blob, () -> clients.streams().getObject(whole, file));
        verify(blob, file, stored.contentLength(), stored.metadata());
    }

    /**
     * Compares a file with the stored blob.
     *
     * @throws EOFException when it is not the same
     * @throws NoSuchFileException when there is no such blob or file
     */
    void verify(Blob blob, Path file) throws IOException {
        HeadObjectResponse stored = ask(
                "look for " + blob,
                () -> client.headObject(head -> head.bucket(bucket).key(key(blob))));
        verify(blob, file, stored.contentLength(), stored.metadata());
    }

    private static void verify(Blob blob, Path file, long length, Map<String, String> metadata) throws IOException {
        String expected = metadata.getOrDefault(S3Uploads.SHA256, "");
        if (Files.size(file) != length
                || (!expected.isEmpty() && !FileDigest.sha256(file).equals(expected))) {
            throw new EOFException("read " + blob + ": it differs from the stored blob");
        }
    }

    @Override
    public long size(Blob blob) throws IOException {
        return ask(
                "look for " + blob,
                () -> client.headObject(head -> head.bucket(bucket).key(key(blob)))
                        .contentLength());
    }

    @Override
    public Optional<Path> file(Blob blob) {
        return Optional.empty();
    }

    @Override
    public void delete(Blob blob) throws IOException {
        ask(
                "remove " + blob,
                () -> client.deleteObject(delete -> delete.bucket(bucket).key(key(blob))));
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public void check() throws IOException {
        if (System.nanoTime() - checked >= CHECK_NANOS) {
            ask(
                    "look at it",
                    () -> client.headBucket(head -> head.bucket(bucket)
                            .overrideConfiguration(call -> call.apiCallTimeout(S3Clients.FREE_CONNECTION))));
            checked = System.nanoTime();
        }
    }

    @Override
    public void sweep() throws IOException {
        Instant before = clock.instant().minus(ABANDONED);
        order("look for abandoned uploads", () -> {
            for (BlobKind kind : BlobKind.values()) {
                uploads.abandon(prefix + kind.folder() + "/", before);
            }
        });
    }

    @Override
    public void close() {
        clients.close();
    }
}

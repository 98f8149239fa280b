package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.platform.config.BlobSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of stores, and tests of uploads in parts, of a store that is down, and of one that answers wrong. */
@Timeout(180)
class S3BlobsIT extends AbstractBlobStoreTest {
    @RegisterExtension
    static final OnS3 SERVER = new OnS3();

    static BlobSettings.S3 settings(OnS3 server, Path data, Map<String, String> changed) {
        Map<String, String> all = new java.util.HashMap<>(server.settings(data));
        all.putAll(changed);
        return new BlobSettings.S3(
                all.get("faasimage.blobs.s3.bucket"),
                Objects.requireNonNull(all.get("faasimage.blobs.s3.prefix")),
                URI.create(Objects.requireNonNull(all.get("faasimage.blobs.s3.endpoint"))),
                null,
                true,
                8);
    }

    @Override
    BlobStore open(Path data) throws IOException {
        return S3Blobs.open(settings(SERVER, data, Map.of()), Clock.systemUTC());
    }

    @Test
    void aLargeFileGoesInParts() throws Exception {
        byte[] content = bytes((int) S3Uploads.PART_BYTES + 12_345);
        Blob pack = Blob.pack("large");
        store.publish(Map.of(file(content), pack));
        assertThat(store.size(pack)).isEqualTo(content.length);
        Path copy = directory.resolve("copy");
        ((S3Blobs) store).fetch(pack, copy);
        assertThat(Files.mismatch(copy, file(content))).isEqualTo(-1);
    }

    @Test
    void readersThatAreSlowLeaveConnectionsForAllElse() throws Exception {
        Blob pack = Blob.pack("slow");
        store.write(pack, bytes(5_000_000));
        List<InputStream> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 8; i++) {
                slow.add(store.read(pack, 0, 5_000_000));
            }
            store.check();
            Blob plan = Blob.plan(Digest.of(bytes(3)));
            store.write(plan, bytes(3));
            assertThat(store.read(plan)).isEqualTo(bytes(3));
            assertThat(store.size(pack)).isEqualTo(5_000_000);
            try (InputStream object = store.read(pack, 0, 10)) {
                assertThat(object.readAllBytes()).hasSize(10);
            }
        } finally {
            for (InputStream one : slow) {
                one.close();
            }
        }
    }

    @Test
    void aConnectionWhoseRangeWasReadIsUsedAgain() throws Exception {
        URI server =
                URI.create(Objects.requireNonNull(SERVER.settings(directory).get("faasimage.blobs.s3.endpoint")));
        try (CountingRelay relay = new CountingRelay(server);
                BlobStore relayed = S3Blobs.open(
                        settings(
                                SERVER,
                                directory,
                                Map.of(
                                        "faasimage.blobs.s3.endpoint",
                                        relay.address().toString())),
                        Clock.systemUTC())) {
            Blob pack = Blob.pack("ranges");
            store.write(pack, bytes(200_000));
            for (int i = 0; i < 30; i++) {
                try (InputStream in = relayed.read(pack, i, 150_000)) {
                    assertThat(in.readNBytes(150_000)).hasSize(150_000);
                }
            }
            assertThat(relay.connections()).isEqualTo(1);
        }
    }

    @Test
    void anUploadThatWasAbandonedGoesAfterADayAndANewOneStays() throws Exception {
        store.write(Blob.pack("other"), bytes(10));
        try (TestBucket admin = new TestBucket(SERVER, directory)) {
            admin.beginUpload("packs/abandoned");
            store.sweep();
            assertThat(admin.uploads()).isEqualTo(1);
            Clock later = Clock.offset(Clock.systemUTC(), Duration.ofHours(25));
            try (BlobStore tomorrow = S3Blobs.open(settings(SERVER, directory, Map.of()), later)) {
                tomorrow.sweep();
            }
            assertThat(admin.uploads()).isZero();
        }
        assertThat(store.size(Blob.pack("other"))).isEqualTo(10);
    }

    @Test
    void aStoreThatIsDownOrForbidsIsNotTakenForAnEmptyOne() throws Exception {
        Blob pack = Blob.pack("there");
        store.write(pack, bytes(5_000_000));
        InputStream begun = store.read(pack, 0, 5_000_000);
        assertThat(begun.read()).isNotNegative();
        SERVER.stop();
        try {
            assertThatThrownBy(begun::readAllBytes).isInstanceOf(BlobsDownException.class);
            begun.close();
            assertThatThrownBy(() -> store.read(pack))
                    .isInstanceOf(BlobsDownException.class)
                    .hasMessageContaining("could not read packs/there, bucket blobs at http://127.0.0.1:");
            assertThatThrownBy(() -> store.size(pack)).isInstanceOf(BlobsDownException.class);
            assertThatThrownBy(() -> store.write(pack, bytes(1)))
                    .isInstanceOf(BlobsDownException.class)
                    .satisfies(
                            e -> assertThat(BlobsDownException.refusalCauses(e)).isFalse());
        } finally {
            SERVER.start();
        }
        assertThat(store.size(pack)).isEqualTo(5_000_000);
        try (BlobStore other = S3Blobs.open(
                settings(SERVER, directory, Map.of("faasimage.blobs.s3.bucket", "none")), Clock.systemUTC())) {
            assertThatThrownBy(other::check).isInstanceOf(BlobsDownException.class);
            assertThatThrownBy(() -> other.read(pack)).isInstanceOf(BlobsDownException.class);
        }
        String secret = Objects.requireNonNull(System.getProperty("aws.secretAccessKey"));
        System.setProperty("aws.secretAccessKey", "another-secret");
        try (BlobStore stranger = open(directory)) {
            assertThatThrownBy(() -> stranger.read(pack))
                    .isInstanceOfSatisfying(
                            BlobsDownException.class,
                            e -> assertThat(BlobsDownException.refusalCauses(e.problem()))
                                    .isTrue());
        } finally {
            System.setProperty("aws.secretAccessKey", secret);
        }
    }
}

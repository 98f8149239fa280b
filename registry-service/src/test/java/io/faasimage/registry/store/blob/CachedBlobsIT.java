package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.OnS3;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of stores, and tests of the blobs that are kept on the disk. */
@Timeout(120)
class CachedBlobsIT extends AbstractBlobStoreTest {
    private static final long BUDGET = 1_000_000;

    @RegisterExtension
    static final OnS3 SERVER = new OnS3();

    private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);
    private final InstantSource clock = () -> Instant.now().plus(Objects.requireNonNull(later.get()));

    @Override
    BlobStore open(Path data) throws IOException {
        return new CachedBlobs(
                S3Blobs.open(S3BlobsIT.settings(SERVER, data, Map.of()), Clock.systemUTC()),
                data.resolve("cache"),
                BUDGET,
                clock);
    }

    private Path await(BlobStore of, Blob blob) {
        return Wait.value(() -> of.file(blob), Optional::isPresent).orElseThrow();
    }

    @Test
    void whatIsPublishedIsKeptAndWhatIsNotIsFetchedAndTheLongestUnusedGoes() throws Exception {
        byte[] content = bytes(400_000);
        Blob first = Blob.pack("first");
        store.publish(Map.of(file(content), first));
        Path kept = store.file(first).orElseThrow();
        assertThat(Files.readAllBytes(kept)).isEqualTo(content);
        Blob second = Blob.pack("second");
        Blob third = Blob.pack("third");
        Blob large = Blob.pack("large");
        try (BlobStore other = S3Blobs.open(S3BlobsIT.settings(SERVER, directory, Map.of()), Clock.systemUTC())) {
            other.publish(Map.of(file(content), second));
            other.publish(Map.of(file(content), third));
            other.publish(Map.of(file(bytes(1_000_001)), large));
        }
        assertThat(store.file(large)).isEmpty();
        await(store, second);
        assertThat(store.file(first)).contains(kept);
        await(store, third);
        assertThat(store.file(first)).contains(kept);
        assertThat(directory.resolve("cache/packs/second")).doesNotExist();
        assertThat(store.file(large)).isEmpty();
        store.delete(first);
        assertThat(kept).doesNotExist();
        Files.write(directory.resolve("cache/packs/.new-left"), bytes(10));
        store.close();
        store = open(directory);
        assertThat(store.file(third)).isPresent();
        assertThat(directory.resolve("cache/packs/.new-left")).doesNotExist();
    }

    @Test
    void whatIsNotWhatWasStoredIsNotKept() throws Exception {
        Blob pack = Blob.pack("damaged");
        try (BlobStore other = S3Blobs.open(S3BlobsIT.settings(SERVER, directory, Map.of()), Clock.systemUTC())) {
            other.publish(Map.of(file(bytes(1000)), pack));
        }
        Files.write(SERVER.files(directory).resolve("packs/damaged"), bytes(1001));
        Blob good = Blob.pack("good");
        store.write(good, bytes(10));
        assertThat(store.file(pack)).isEmpty();
        await(store, good);
        assertThat(store.file(pack)).isEmpty();
        assertThat(directory.resolve("cache/packs/damaged")).doesNotExist();
    }

    @Test
    void whatCouldNotBeFetchedIsTriedAgainLater() throws Exception {
        Blob pack = Blob.pack("later");
        Blob good = Blob.pack("good");
        store.write(good, bytes(10));
        assertThat(store.file(pack)).isEmpty();
        await(store, good);
        store.write(pack, bytes(10));
        assertThat(store.file(pack)).isEmpty();
        store.write(Blob.pack("next"), bytes(10));
        await(store, Blob.pack("next"));
        assertThat(store.file(pack)).isEmpty();
        // The first try may fail later than the other fetches succeed.
        Wait.until("a later try", () -> {
            later.updateAndGet(before -> before.plusMinutes(6));
            return store.file(pack).isPresent();
        });
    }

    @Test
    void whatIsStoredIsStoredWhenItCannotBeKept() throws Exception {
        Files.delete(directory.resolve("cache/packs"));
        Blob pack = Blob.pack("stored");
        store.publish(Map.of(file(bytes(1000)), pack));
        assertThat(store.size(pack)).isEqualTo(1000);
        assertThat(store.file(pack)).isEmpty();
    }

    @Test
    void aDamagedFileOfAnEarlierServiceIsFetchedAgainAndADiscardedOneToo() throws Exception {
        byte[] content = bytes(1000);
        Blob pack = Blob.pack("bits");
        store.publish(Map.of(file(content), pack));
        Path kept = store.file(pack).orElseThrow();
        store.close();
        Files.write(kept, java.util.Arrays.copyOf(bytes(1001), 1000));
        store = open(directory);
        assertThat(store.file(pack)).contains(kept);
        Wait.until("the file to go", () -> !Files.exists(kept));
        assertThat(Files.readAllBytes(await(store, pack))).isEqualTo(content);
        store.discard(pack);
        assertThat(kept).doesNotExist();
        assertThat(Files.readAllBytes(await(store, pack))).isEqualTo(content);
    }
}

package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every store of blobs. */
abstract class AbstractBlobStoreTest {
    @TempDir
    Path directory;

    BlobStore store;

    abstract BlobStore open(Path data) throws IOException;

    @BeforeEach
    void begin() throws IOException {
        store = open(directory);
    }

    @AfterEach
    void end() {
        store.close();
    }

    static byte[] bytes(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return bytes;
    }

    Path file(byte[] content) throws IOException {
        Path work = Files.createDirectories(directory.resolve("work"));
        return Files.write(work.resolve(UUID.randomUUID().toString()), content);
    }

    @Test
    void whatIsPublishedIsThereWholeAndInParts() throws Exception {
        byte[] content = bytes(300_000);
        Blob pack = Blob.pack("lib-python-flask-3.1.0-0123456789abcdef.pack");
        Blob metadata = Blob.metadata(Digest.of(content));
        store.publish(Map.of(file(content), pack, file(bytes(10)), metadata));
        assertThat(store.size(pack)).isEqualTo(300_000);
        assertThat(store.size(metadata)).isEqualTo(10);
        assertThat(store.read(pack)).isEqualTo(content);
        for (int[] part : new int[][] {{0, 300_000}, {0, 1}, {299_999, 1}, {1000, 70_000}, {5, 0}}) {
            try (InputStream in = store.read(pack, part[0], part[1])) {
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, part[0], part[0] + part[1]));
            }
        }
    }

    @Test
    void aStreamThatIsClosedEarlyHarmsNobody() throws Exception {
        byte[] content = bytes(3_000_000);
        Blob pack = Blob.pack("early");
        store.publish(Map.of(file(content), pack));
        for (int i = 0; i < 300; i++) {
            try (InputStream in = store.read(pack, i, 2_900_000)) {
                assertThat(in.read()).isEqualTo(content[i] & 0xff);
            }
        }
        assertThat(store.read(pack)).isEqualTo(content);
    }

    @Test
    void whatIsMissingOrShortIsNotTakenForSomethingElse() throws Exception {
        Blob gone = Blob.plan(Digest.of(bytes(1)));
        assertThatThrownBy(() -> store.read(gone)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store.size(gone)).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> store.read(gone, 0, 10).close()).isInstanceOf(NoSuchFileException.class);
        store.delete(gone);
        store.write(gone, bytes(100));
        try (InputStream in = store.read(gone, 90, 20)) {
            assertThat(in.readAllBytes()).hasSize(10);
        }
        store.delete(gone);
        assertThatThrownBy(() -> store.read(gone)).isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void aBlobIsReplacedAndManyAreWrittenAtOnce() throws Exception {
        Blob trace = Blob.trace(Digest.of(bytes(2)));
        store.write(trace, bytes(50));
        store.write(trace, bytes(60));
        assertThat(store.read(trace)).isEqualTo(bytes(60));
        CompletableFuture.allOf(Stream.iterate(0, i -> i < 40, i -> i + 1)
                        .map(i -> CompletableFuture.runAsync(() -> write(Blob.layer(Digest.of(bytes(i))), i)))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
        store.check();
        store.sweep();
        for (int i = 0; i < 40; i++) {
            assertThat(store.size(Blob.layer(Digest.of(bytes(i))))).isEqualTo(i);
        }
    }

    private void write(Blob blob, int size) {
        try {
            store.write(blob, bytes(size));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aNameIsOneFilesName() {
        for (String name : List.of("", ".", "..", ".tmp-1", "a/b", "../a", "a\0", "ä", "a b", "x".repeat(256))) {
            assertThatThrownBy(() -> Blob.pack(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}

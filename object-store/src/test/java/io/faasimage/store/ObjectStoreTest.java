package io.faasimage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.faasimage.format.id.Digest;
import io.faasimage.store.object.StoreException;
import io.faasimage.store.object.StoreException.Kind;
import io.faasimage.store.object.StoredObject;
import io.faasimage.store.object.Usage;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ObjectStoreTest {
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);
    private static final Digest HELLO_DIGEST = Digest.of(HELLO);

    @TempDir
    Path root;

    private ObjectStore store;

    @BeforeEach
    void open() throws IOException {
        store = ObjectStore.open(root, "test");
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    @Test
    void aSourceThatStandsStillDoesNotHoldAnotherUp() throws Exception {
        CountDownLatch reads = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        InputStream still = new FilterInputStream(new ByteArrayInputStream(HELLO)) {
            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                reads.countDown();
                try {
                    goesOn.await();
                } catch (InterruptedException e) {
                    throw new InterruptedIOException();
                }
                return super.read(buffer, offset, length);
            }
        };
        CompletableFuture<Publication> first = CompletableFuture.supplyAsync(() -> {
            try {
                return store.publish(HELLO_DIGEST, HELLO.length, still);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        reads.await();
        assertThat(store.publishBeside(HELLO_DIGEST, HELLO.length, new ByteArrayInputStream(HELLO)))
                .isEqualTo(Publication.PUBLISHED);
        goesOn.countDown();
        assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(Publication.ALREADY_PRESENT);
        assertThat(Files.readAllBytes(store.path(HELLO_DIGEST))).isEqualTo(HELLO);
    }

    @Test
    void publishesFromAStreamAndFromMemory() throws IOException {
        byte[] large = random(3_000_001);
        assertThat(publish(large)).isEqualTo(Publication.PUBLISHED);
        assertThat(store.publish(HELLO_DIGEST, ByteBuffer.wrap(HELLO))).isEqualTo(Publication.PUBLISHED);

        assertThat(store.path(Digest.of(large))).hasBinaryContent(large);
        assertThat(store.path(HELLO_DIGEST)).hasBinaryContent(HELLO);
        assertThat(store.has(HELLO_DIGEST)).isTrue();
        assertThat(root.resolve("objects/" + HELLO_DIGEST.objectPath())).exists();
        assertThat(temps()).isEmpty();
    }

    @Test
    void objectsAreReadOnlyAndTheirDirectoriesTheOwnersAlone() throws IOException {
        publish(HELLO);
        assertThat(permissions(store.path(HELLO_DIGEST))).isEqualTo("r--r--r--");
        for (String directory : List.of("objects", "late", "incoming", "objects/00", "late/ff", "incoming/test")) {
            assertThat(permissions(root.resolve(directory))).as(directory).isEqualTo("rwx------");
        }
    }

    @Test
    void anObjectThatIsHeldIsNotReadAgain() throws IOException {
        publish(HELLO);
        Object inode = Files.getAttribute(store.path(HELLO_DIGEST), "unix:ino");
        InputStream untouchable = FaultyStream.failingAfter(HELLO, 0);
        assertThat(store.publish(HELLO_DIGEST, HELLO.length, untouchable)).isEqualTo(Publication.ALREADY_PRESENT);
        assertThat(Files.getAttribute(store.path(HELLO_DIGEST), "unix:ino")).isEqualTo(inode);
    }

    @Test
    void sizeMayBeUnknown() throws IOException {
        store.publish(HELLO_DIGEST, ObjectStore.UNKNOWN_SIZE, new ByteArrayInputStream(HELLO));
        assertThat(store.path(HELLO_DIGEST)).hasBinaryContent(HELLO);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.publish(HELLO_DIGEST, -2, new ByteArrayInputStream(HELLO)));
    }

    @Test
    void theEmptyObject() throws IOException {
        Digest empty = Digest.of(new byte[0]);
        store.publish(empty, 0, InputStream.nullInputStream());
        assertThat(store.path(empty)).isEmptyFile();
        store.drop(empty);
        store.publish(empty, ByteBuffer.allocate(0));
        assertThat(store.path(empty)).isEmptyFile();
    }

    @Test
    void shortReadsAreReadOn() throws IOException {
        byte[] content = random(100_000);
        store.publish(Digest.of(content), content.length, FaultyStream.shortReads(content));
        assertThat(store.path(Digest.of(content))).hasBinaryContent(content);
    }

    @Test
    void aLargeObjectIsWrittenWhileItIsRead() throws IOException {
        byte[] content = random(9_000_001);
        Digest digest = Digest.of(content);
        byte[] flipped = content.clone();
        flipped[8_000_000] ^= 1;
        assertRefused(digest, () -> store.publish(digest, content.length, new ByteArrayInputStream(flipped)));
        assertRefused(digest, () -> store.publish(digest, content.length - 1, new ByteArrayInputStream(content)));
        assertRefused(digest, () -> store.publish(digest, content.length + 1, new ByteArrayInputStream(content)));
        assertThatIOException()
                .isThrownBy(() -> store.publish(digest, content.length, FaultyStream.failingAfter(content, 5_000_000)))
                .withMessageContaining("injected");
        assertThat(temps()).isEmpty();
        assertThat(store.publish(digest, content.length, new ByteArrayInputStream(content)))
                .isEqualTo(Publication.PUBLISHED);
        assertThat(store.path(digest)).hasBinaryContent(content);
    }

    @Test
    void wrongContentIsRefusedAndLeavesNothing() {
        byte[] flipped = HELLO.clone();
        flipped[2] ^= 1;
        assertRefused(() -> store.publish(HELLO_DIGEST, HELLO.length, new ByteArrayInputStream(flipped)));
        assertRefused(() -> store.publish(HELLO_DIGEST, ByteBuffer.wrap(flipped)));
        assertRefused(() -> store.publish(HELLO_DIGEST, HELLO.length - 1, new ByteArrayInputStream(HELLO)));
        assertRefused(() -> store.publish(HELLO_DIGEST, HELLO.length + 1, new ByteArrayInputStream(HELLO)));
        assertRefused(() -> store.publish(HELLO_DIGEST, Long.MAX_VALUE, new ByteArrayInputStream(HELLO)));
        byte[] cut = Arrays.copyOf(HELLO, 3);
        assertRefused(() -> store.publish(HELLO_DIGEST, ObjectStore.UNKNOWN_SIZE, new ByteArrayInputStream(cut)));
    }

    @Test
    void aFailingSourceIsReportedAsItIsAndLeavesNothing() throws IOException {
        byte[] content = random(2_000_000);
        Digest digest = Digest.of(content);
        assertThatIOException()
                .isThrownBy(() -> store.publish(digest, content.length, FaultyStream.failingAfter(content, 1_000_000)))
                .isNotInstanceOf(StoreException.class)
                .withMessageContaining("injected");
        assertThat(store.has(digest)).isFalse();
        assertThat(temps()).isEmpty();
        assertThat(publish(content)).as("a retry").isEqualTo(Publication.PUBLISHED);
    }

    @Test
    void lateObjectsShareTheInode() throws IOException {
        store.publishLate(HELLO_DIGEST, HELLO.length, new ByteArrayInputStream(HELLO));
        Path late = root.resolve("late").resolve(HELLO_DIGEST.objectPath());
        assertThat(Files.isSameFile(late, store.path(HELLO_DIGEST))).isTrue();
        assertThat(store.makeLate(HELLO_DIGEST)).as("again").isTrue();
        assertThat(store.makeLate(Digest.of(random(3)))).as("not held").isFalse();
        store.drop(HELLO_DIGEST);
        assertThat(late).doesNotExist();
        assertThat(store.has(HELLO_DIGEST)).isFalse();
    }

    @Test
    void aDroppedObjectStaysReadableToWhoHasItOpen() throws IOException {
        publish(HELLO);
        try (FileChannel open = store.open(HELLO_DIGEST)) {
            assertThat(store.drop(HELLO_DIGEST)).isEqualTo(HELLO.length);
            assertThat(store.drop(HELLO_DIGEST)).isZero();
            assertThat(open.size()).isEqualTo(HELLO.length);
        }
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.open(HELLO_DIGEST));
    }

    @Test
    void objectsAreShownByTheFirstByteOfTheirDigests() throws IOException {
        publish(HELLO);
        List<StoredObject> shown = new ArrayList<>();
        for (int part = 0; part < ObjectStore.PARTS; part++) {
            store.forEach(part, shown::add);
        }
        assertThat(shown).containsExactly(new StoredObject(HELLO_DIGEST, HELLO.length));
    }

    @Test
    void usageCountsWhatOthersWroteAndDroppedToo() throws IOException {
        assertThat(store.usage()).isEqualTo(new Usage(0, 0));
        publish(HELLO);
        assertThat(store.usage()).isEqualTo(new Usage(1, HELLO.length));
        try (ObjectStore other = ObjectStore.open(root, "other")) {
            byte[] content = random(1000);
            other.publish(Digest.of(content), ByteBuffer.wrap(content));
            assertThat(store.usage()).isEqualTo(new Usage(2, HELLO.length + 1000));
            other.drop(HELLO_DIGEST);
            assertThat(store.usage()).isEqualTo(new Usage(1, 1000));
        }
    }

    @Test
    void aWritersNameIsTakenOnce() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> ObjectStore.open(root, "test"))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.IN_USE))
                .withMessageContaining("stop it first");
        assertThatIllegalArgumentException().isThrownBy(() -> ObjectStore.open(root, "../x"));
    }

    @Test
    void whatAKilledWriterLeftIsRemoved() throws IOException {
        publish(HELLO);
        List<Path> published;
        try (Stream<Path> entries = Files.list(root.resolve("incoming/test"))) {
            published = entries.toList();
        }
        Path left = Files.writeString(root.resolve("incoming/test/17"), "half");
        close();
        open();
        assertThat(left).doesNotExist();
        assertThat(published).hasSize(1).allSatisfy(name -> assertThat(name).exists());
        store.checkpoint();
        assertThat(root.resolve("incoming/test")).isEmptyDirectory();
    }

    @Test
    void manyThreadsOfOneObjectWriteItOnce() throws Exception {
        byte[] content = random(1_000_000);
        Digest digest = Digest.of(content);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Publication>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 8; i++) {
                results.add(threads.submit(() -> {
                    start.await();
                    return store.publish(digest, content.length, FaultyStream.shortReads(content));
                }));
            }
            start.countDown();
            List<Publication> publications = new ArrayList<>();
            for (Future<Publication> result : results) {
                publications.add(result.get(30, TimeUnit.SECONDS));
            }
            assertThat(publications).containsOnlyOnce(Publication.PUBLISHED);
        }
        assertThat(store.path(digest)).hasBinaryContent(content);
        assertThat(temps()).isEmpty();
    }

    @Test
    void whenTheFirstOfTwoWritersFailsTheSecondWrites() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch fail = new CountDownLatch(1);
        InputStream blocking = FaultyStream.failingOn(() -> {
            reading.countDown();
            fail.await();
        });
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<Publication> first = threads.submit(() -> store.publish(HELLO_DIGEST, HELLO.length, blocking));
            reading.await();
            Future<Publication> second = threads.submit(() -> publish(HELLO));
            fail.countDown();
            assertThat(second.get(30, TimeUnit.SECONDS)).isEqualTo(Publication.PUBLISHED);
            assertThat(first).failsWithin(30, TimeUnit.SECONDS);
        }
    }

    private Publication publish(byte[] content) throws IOException {
        return store.publish(Digest.of(content), content.length, new ByteArrayInputStream(content));
    }

    private void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable publishing) {
        assertRefused(HELLO_DIGEST, publishing);
    }

    private void assertRefused(Digest digest, org.assertj.core.api.ThrowableAssert.ThrowingCallable publishing) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(publishing)
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.WRONG_CONTENT))
                .withMessageContaining(digest.toString());
        assertThat(store.has(digest)).isFalse();
        assertThat(temps()).isEmpty();
    }

    private List<Path> temps() {
        try (Stream<Path> entries = Files.list(root.resolve("incoming/test"))) {
            return entries.filter(entry -> Layout.unsyncedDigest(entry).isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static byte[] random(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }
}

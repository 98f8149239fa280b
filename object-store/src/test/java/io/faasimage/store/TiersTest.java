package io.faasimage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.faasimage.format.id.Digest;
import io.faasimage.store.StoreException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TiersTest {
    private static final int BUDGET = 1 << 20;

    @TempDir
    private Path root;

    @TempDir
    private Path fast;

    private ObjectStore store;

    @BeforeEach
    void open() throws IOException {
        store = ObjectStore.open(root, tier(), "test");
    }

    private Optional<FastTier> tier() {
        return Optional.of(new FastTier(fast, BUDGET));
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    @Test
    void anObjectLiesInTheTierThatItIsPublishedTo() throws IOException {
        Digest hot = publish(content(1, 1000), Tier.FAST);
        Digest cold = publish(content(2, 1000), Tier.CAPACITY);
        assertThat(store.tierOf(hot)).contains(Tier.FAST);
        assertThat(store.path(hot)).isEqualTo(fast.resolve("objects").resolve(hot.objectPath()));
        assertThat(store.tierOf(cold)).contains(Tier.CAPACITY);
        assertThat(store.usage(Tier.FAST)).isEqualTo(new Usage(1, 1000));
        assertThat(store.usage()).isEqualTo(new Usage(2, 2000));
        assertThat(publish(content(2, 1000), Tier.FAST)).isEqualTo(cold);
        assertThat(store.tierOf(cold)).as("held already").contains(Tier.CAPACITY);
    }

    @Test
    void aLateNameIsInTheTierOfTheObject() throws IOException {
        Digest hot = publish(content(1, 10), Tier.FAST);
        assertThat(store.makeLate(hot)).isTrue();
        assertThat(fast.resolve("late").resolve(hot.objectPath())).exists();
        assertThat(store.drop(hot)).isEqualTo(10);
        assertThat(fast.resolve("late").resolve(hot.objectPath())).doesNotExist();
        assertThat(store.makeLate(hot)).isFalse();
        assertThat(store.drop(hot)).isZero();
    }

    @Test
    void whatIsBeyondTheBudgetGoesToTheCapacityTier() throws IOException {
        Digest first = publish(content(1, 600_000), Tier.FAST);
        byte[] large = content(2, 600_000);
        store.publish(Digest.of(large), large.length, new ByteArrayInputStream(large), Tier.FAST);
        assertThat(store.tierOf(first)).contains(Tier.FAST);
        assertThat(store.tierOf(Digest.of(large))).contains(Tier.CAPACITY);
        assertThat(store.move(Digest.of(large), Tier.FAST)).isFalse();
        store.drop(first);
        assertThat(store.move(Digest.of(large), Tier.FAST)).isTrue();
    }

    @Test
    void roomThatAFailedWriteTookIsGivenBack() throws IOException {
        byte[] content = content(1, 900_000);
        for (int i = 0; i < 3; i++) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> store.publish(
                            Digest.of(new byte[] {1}), content.length, new ByteArrayInputStream(content), Tier.FAST));
        }
        assertThat(store.tierOf(publish(content, Tier.FAST))).contains(Tier.FAST);
    }

    @Test
    void anObjectMovesBothWaysAndStaysReadableToWhoHasItOpen() throws IOException {
        byte[] content = content(1, 300_000);
        Digest digest = publish(content, Tier.FAST);
        store.makeLate(digest);
        try (FileChannel open = store.open(digest)) {
            assertThat(store.move(digest, Tier.CAPACITY)).isTrue();
            store.checkpoint();
            assertThat(files(fast)).isEmpty();
            ByteBuffer read = ByteBuffer.allocate(content.length);
            while (read.hasRemaining() && open.read(read) >= 0) {
                assertThat(read.position()).isPositive();
            }
            assertThat(read.array()).isEqualTo(content);
        }
        assertThat(store.path(digest)).hasBinaryContent(content);
        assertThat(store.move(digest, Tier.CAPACITY))
                .as("not in the other tier")
                .isFalse();
        assertThat(store.move(digest, Tier.FAST)).isTrue();
        assertThat(store.tierOf(digest)).contains(Tier.FAST);
        assertThat(store.usage(Tier.CAPACITY)).isEqualTo(Usage.NONE);
    }

    @Test
    void aDamagedObjectIsNotMovedButDropped() throws IOException {
        Digest digest = publish(content(1, 100), Tier.FAST);
        Path file = store.path(digest);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.write(file, new byte[] {7}, StandardOpenOption.WRITE);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> store.move(digest, Tier.CAPACITY))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.WRONG_CONTENT));
        assertThat(store.has(digest)).isFalse();
    }

    @Test
    void aCrashBetweenTheStepsOfAMoveLeavesASecondCopyThatIsFound() throws IOException {
        byte[] content = content(1, 100);
        Digest digest = publish(content, Tier.CAPACITY);
        Files.write(fast.resolve("incoming/test/9"), content);
        Files.createLink(fast.resolve("objects").resolve(digest.objectPath()), fast.resolve("incoming/test/9"));
        store.close();
        store = ObjectStore.open(root, tier(), "test");
        assertThat(fast.resolve("incoming/test")).isEmptyDirectory();
        assertThat(store.path(digest)).hasBinaryContent(content);
        assertThat(store.dropDoubles()).isEqualTo(1);
        assertThat(store.tierOf(digest)).contains(Tier.FAST);
        assertThat(store.usage()).isEqualTo(new Usage(1, 100));
        assertThat(store.dropDoubles()).isZero();
    }

    @Test
    void anEmptiedFastTierIsAnotherOne() throws IOException {
        Optional<String> before = store.fastIdentity();
        Digest hot = publish(content(1, 10), Tier.FAST);
        store.close();
        store = ObjectStore.open(root, tier(), "test");
        assertThat(store.fastIdentity()).isPresent().isEqualTo(before);
        store.close();
        for (Path file : files(fast)) {
            Files.delete(file);
        }
        Files.delete(fast.resolve("identity"));
        store = ObjectStore.open(root, tier(), "test");
        assertThat(store.fastIdentity()).isPresent().isNotEqualTo(before);
        assertThat(store.has(hot)).isFalse();
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.open(hot));
    }

    @Test
    void aFastTierThatCannotBeWrittenIsPassedBy() throws IOException {
        Files.delete(fast.resolve("incoming/test"));
        Digest digest = publish(content(1, 10), Tier.FAST);
        assertThat(store.tierOf(digest)).contains(Tier.CAPACITY);
    }

    @Test
    void objectsAreShownByTier() throws IOException {
        Digest hot = publish(content(1, 10), Tier.FAST);
        Digest cold = publish(content(2, 20), Tier.CAPACITY);
        List<HeldObject> above = new ArrayList<>();
        store.forEach(Tier.FAST, above::add);
        List<HeldObject> below = new ArrayList<>();
        store.forEach(Tier.CAPACITY, below::add);
        assertThat(above).singleElement().satisfies(object -> {
            assertThat(object.digest()).isEqualTo(hot);
            assertThat(object.bytes()).isEqualTo(10);
        });
        assertThat(below).extracting(HeldObject::digest).containsExactly(cold);
    }

    @Test
    void aDirectoryOfTheSameFileSystemIsNotApart() throws IOException {
        assertThat(new FastTier(fast, 0).isApartFrom(root)).isFalse();
        assertThat(new FastTier(fast.resolve("missing"), 0).isApartFrom(root)).isFalse();
        assertThat(new FastTier(Path.of("/proc"), 0).isApartFrom(root)).isTrue();
    }

    private Digest publish(byte[] content, Tier tier) throws IOException {
        store.publish(Digest.of(content), ByteBuffer.wrap(content), tier);
        return Digest.of(content);
    }

    private static byte[] content(long seed, int bytes) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return content;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> Files.isRegularFile(file)
                            && !String.valueOf(directory.relativize(file).getName(0))
                                    .matches("checkpoint|recovery.lock|identity"))
                    .toList();
        }
    }
}

package io.faasimage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crash of the machine is a new boot id; the test truncates or zeroes the damaged files. */
final class RecoveryTest {
    private static final Pause NO_PAUSE = () -> {};

    private final Instant now = Instant.now();

    @TempDir
    Path root;

    @Test
    void whatCameAfterTheCheckpointIsVerifiedWhenItIsWanted() throws IOException {
        Digest whole;
        Digest cut;
        Digest zeroed;
        try (ObjectStore store = open("first", now)) {
            store.checkpoint();
            whole = publish(store, "whole");
            cut = publish(store, "cut");
            zeroed = publish(store, "zeroed");
            store.makeLate(cut);
        }
        damage(cut, "cu");
        damage(zeroed, "\0\0\0\0\0\0");
        try (ObjectStore store = open("second", now.plusSeconds(60))) {
            assertThat(root.resolve("objects").resolve(cut.objectPath())).doesNotExist();
            assertThat(root.resolve("late").resolve(cut.objectPath())).doesNotExist();
            assertThat(store.has(whole)).isTrue();
            assertThat(store.path(whole)).hasContent("whole");
            assertThat(store.makeLate(cut)).isFalse();
            assertThat(store.has(cut)).isFalse();
            assertThat(store.has(zeroed)).isFalse();
            assertThat(publish(store, "cut")).isEqualTo(cut);
            assertThat(store.path(cut)).hasContent("cut");
        }
    }

    /** Found by an agent that starts before the clock is set: its note was a minute ahead of its objects. */
    @Test
    void aClockThatIsSetBackHidesNoSuspect() throws IOException {
        Digest cut;
        try (ObjectStore store = open("first", now.plusSeconds(60))) {
            store.checkpoint();
            cut = publish(store, "cut");
            Files.setLastModifiedTime(store.path(cut), FileTime.from(now));
        }
        damage(cut, "c");
        try (ObjectStore store = open("second", now.plusSeconds(120))) {
            assertThat(store.has(cut)).isFalse();
        }
    }

    @Test
    void aClockThatIsBehindTheCheckpointMakesNoSuspects() throws IOException {
        Digest object;
        try (ObjectStore store = open("first", now)) {
            object = publish(store, "object");
            store.checkpoint();
            damage(object, "trusted");
        }
        try (ObjectStore store = open("second", now.minus(Duration.ofDays(1)))) {
            assertThat(store.has(object)).as("not read again").isTrue();
        }
    }

    @Test
    void whatIsOnTheDiskIsNotReadAgain() throws IOException {
        Digest old;
        Digest recent;
        try (ObjectStore store = open("first", now)) {
            old = publish(store, "old");
            store.checkpoint();
            damage(old, "o");
            recent = publish(store, "recent");
        }
        try (ObjectStore store = open("first", now.plusSeconds(60))) {
            assertThat(store.has(recent)).as("of the same boot").isTrue();
        }
        try (ObjectStore store = open("second", now.plusSeconds(60))) {
            assertThat(store.has(old)).as("not read again").isTrue();
            assertThat(store.hasSuspects()).isTrue();
            assertThat(store.verifySuspects(NO_PAUSE)).isEqualTo(new Verified(1, 0, 0));
            assertThat(store.hasSuspects()).isFalse();
            assertThat(Files.exists(root.resolve("objects").resolve(recent.objectPath())))
                    .isTrue();
        }
    }

    @Test
    void recoveryGoesOnAfterAnotherCrash() throws IOException {
        Digest whole;
        Digest cut;
        try (ObjectStore store = open("first", now)) {
            whole = publish(store, "whole");
            cut = publish(store, "cut");
        }
        damage(cut, "c");
        // In the middle of hiding it, at each of its two steps.
        Path hidden = root.resolve("suspect").resolve(whole.hex());
        Files.createLink(hidden, root.resolve("objects").resolve(whole.objectPath()));
        open("second", now).close();
        assertThat(hidden).exists();
        // In the middle of making it visible again.
        Files.createLink(root.resolve("objects").resolve(whole.objectPath()), hidden);
        try (ObjectStore store = open("third", now)) {
            assertThat(store.verifySuspects(NO_PAUSE)).isEqualTo(new Verified(1, 1, 0));
            assertThat(store.has(whole)).isTrue();
            assertThat(store.has(cut)).isFalse();
        }
        try (ObjectStore store = open("fourth", now)) {
            assertThat(store.hasSuspects()).isFalse();
            assertThat(store.has(whole)).isTrue();
        }
    }

    @Test
    void anObjectThatWasDroppedOrIsAnothersIsNoSuspect() throws IOException {
        Digest dropped;
        Digest others;
        try (ObjectStore store = open("first", now)) {
            dropped = publish(store, "dropped");
            store.drop(dropped);
            others = publish(store, "others");
            store.checkpoint();
            // A second process that lost the race for the name, and was killed.
            Files.writeString(root.resolve("incoming/test").resolve(others.hex() + ".7"), "others");
        }
        try (ObjectStore store = open("second", now)) {
            assertThat(store.hasSuspects()).isFalse();
            assertThat(store.has(dropped)).isFalse();
            assertThat(store.path(others)).hasContent("others");
            assertThat(root.resolve("incoming/test")).isEmptyDirectory();
        }
    }

    @Test
    void aCheckpointTakesTheNamesOfAllWritersAndNoneOfWhatIsBeingWritten() throws IOException {
        try (ObjectStore store = open("first", now);
                ObjectStore gate = ObjectStore.open(
                        root, "gate", StoreLimits.DEFAULT, new Boot("first", InstantSource.system()))) {
            publish(store, "mine");
            publish(gate, "others");
            byte[] content = "whole".getBytes(StandardCharsets.UTF_8);
            InputStream slow = new SequenceInputStream(
                    new ByteArrayInputStream(content, 0, 2), new ByteArrayInputStream(content, 2, content.length - 2) {
                        @Override
                        public synchronized int read(byte[] into, int at, int length) {
                            flush(store);
                            return super.read(into, at, length);
                        }
                    });
            store.publish(Digest.of(content), content.length, slow);
            assertThat(root.resolve("incoming/gate")).isEmptyDirectory();
            assertThat(root.resolve("incoming/test")).isNotEmptyDirectory();
        }
        damage(Digest.of("whole".getBytes(StandardCharsets.UTF_8)), "w");
        try (ObjectStore store = open("second", now)) {
            assertThat(store.verifySuspects(NO_PAUSE)).isEqualTo(new Verified(0, 1, 0));
        }
    }

    @Test
    void aMissingOrDamagedNoteMakesAllSuspects() throws IOException {
        for (String marker : new String[] {"", "faasimage-store 2\nfirst\n", "\0\0\0\0", "faasimage-store 1\n"}) {
            Digest object;
            Digest whole;
            try (ObjectStore store = open("first", now)) {
                object = publish(store, "object");
                whole = publish(store, "whole");
                store.checkpoint();
                damage(object, "o");
            }
            Files.writeString(root.resolve("checkpoint"), marker);
            try (ObjectStore store = open("first", now)) {
                assertThat(store.has(object)).as("with note '%s'", marker).isFalse();
                assertThat(store.verifySuspects(NO_PAUSE)).isEqualTo(new Verified(1, 0, 0));
                assertThat(store.has(whole)).isTrue();
            }
        }
    }

    private static void flush(ObjectStore store) {
        try {
            store.checkpoint();
            assertThat(store.checkpoint()).as("nothing is left to be flushed").isFalse();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectStore open(String bootId, Instant time) throws IOException {
        return ObjectStore.open(root, "test", StoreLimits.DEFAULT, new Boot(bootId, InstantSource.fixed(time)));
    }

    private static Digest publish(ObjectStore store, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        store.publish(Digest.of(content), ByteBuffer.wrap(content));
        return Digest.of(content);
    }

    /** Through the object's name, which leaves its inode. */
    private void damage(Digest digest, String content) throws IOException {
        Path file = root.resolve("objects").resolve(digest.objectPath());
        FileTime time = Files.getLastModifiedTime(file);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(file, content, StandardOpenOption.TRUNCATE_EXISTING);
        Files.setLastModifiedTime(file, time);
    }
}

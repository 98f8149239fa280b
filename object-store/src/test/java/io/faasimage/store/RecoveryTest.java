package io.faasimage.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crash of the machine is a new boot id; what it damaged is cut short by the test. */
final class RecoveryTest {
    private final Instant now = Instant.now();

    @TempDir
    Path root;

    @Test
    void damagedObjectsYoungerThanTheCheckpointAreDropped() throws IOException {
        Digest whole;
        Digest cut;
        Digest empty;
        try (ObjectStore store = open("first", now)) {
            store.checkpoint();
            whole = publish(store, "whole");
            cut = publish(store, "cut");
            empty = publish(store, "empty");
            store.makeLate(cut);
        }
        truncate(cut, 2);
        truncate(empty, 0);
        try (ObjectStore store = open("second", now.plusSeconds(60))) {
            assertThat(store.has(whole)).isTrue();
            assertThat(store.has(cut)).isFalse();
            assertThat(store.has(empty)).isFalse();
            assertThat(root.resolve("late").resolve(cut.objectPath())).doesNotExist();
        }
    }

    @Test
    void objectsOlderThanTheCheckpointAreNotReadAgain() throws IOException {
        Digest old;
        try (ObjectStore store = open("first", now)) {
            old = publish(store, "old");
            truncate(old, 1);
            Files.setLastModifiedTime(store.path(old), FileTime.from(now.minus(Duration.ofHours(1))));
            store.checkpoint();
        }
        try (ObjectStore store = open("second", now.plusSeconds(60))) {
            assertThat(store.has(old)).as("trusted, hence not read").isTrue();
        }
    }

    @Test
    void inTheSameBootNothingIsReadAgain() throws IOException {
        Digest object;
        try (ObjectStore store = open("first", now)) {
            object = publish(store, "object");
        }
        truncate(object, 1);
        try (ObjectStore store = open("first", now.plusSeconds(60))) {
            assertThat(store.has(object)).isTrue();
        }
    }

    @Test
    void aMissingOrDamagedCheckpointMakesAllSuspects() throws IOException {
        for (String marker :
                new String[] {"", "faasimage-store 1\nfirst\nyesterday\n", "\0\0\0\0", "faasimage-store 1\nfirst\n"}) {
            Digest object;
            try (ObjectStore store = open("first", now)) {
                object = publish(store, "object");
                truncate(object, 1);
                Files.setLastModifiedTime(store.path(object), FileTime.from(now.minus(Duration.ofDays(9))));
                store.checkpoint();
            }
            Files.writeString(root.resolve("checkpoint"), marker);
            try (ObjectStore store = open("first", now)) {
                assertThat(store.has(object)).as("with marker '%s'", marker).isFalse();
            }
        }
    }

    @Test
    void aClockThatWentBackMakesAllSuspects() throws IOException {
        Digest object;
        try (ObjectStore store = open("first", now)) {
            object = publish(store, "object");
            truncate(object, 1);
            Files.setLastModifiedTime(store.path(object), FileTime.from(now.minus(Duration.ofDays(9))));
            store.checkpoint();
        }
        try (ObjectStore store = open("second", now.minus(Duration.ofDays(1)))) {
            assertThat(store.has(object)).isFalse();
        }
    }

    @Test
    void whatIsBeyondTheBudgetIsDroppedUnread() throws IOException {
        Digest object;
        try (ObjectStore store = open("first", now)) {
            object = publish(store, "more than four bytes");
        }
        StoreLimits limits = new StoreLimits(1 << 20, 1 << 10, 1, 1, 4);
        try (ObjectStore store = ObjectStore.open(root, "test", limits, boot("second", now.plusSeconds(9)))) {
            assertThat(store.has(object)).isFalse();
        }
    }

    private ObjectStore open(String bootId, Instant time) throws IOException {
        return ObjectStore.open(root, "test", StoreLimits.DEFAULT, boot(bootId, time));
    }

    private static Boot boot(String id, Instant time) {
        return new Boot(id, InstantSource.fixed(time));
    }

    private static Digest publish(ObjectStore store, String text) throws IOException {
        byte[] content = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        store.publish(Digest.of(content), ByteBuffer.wrap(content));
        return Digest.of(content);
    }

    private void truncate(Digest digest, int bytes) throws IOException {
        Path file = root.resolve("objects").resolve(digest.objectPath());
        Files.setPosixFilePermissions(file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-------"));
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }
}

package io.faasimage.store.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packs read through the running kernel. Needs root and Linux 6.15. */
@org.junit.jupiter.api.Timeout(60)
class PacksIT {
    private static final int FRAME = ObjectFrames.CONTENT_BYTES;

    @TempDir
    Path temp;

    private final List<byte[]> contents = new ArrayList<>();
    private final List<PackedObject> objects = new ArrayList<>();
    /** The frames of all objects, one after the other. */
    private final List<byte[]> frames = new ArrayList<>();

    private final List<IndexRange> brought = new CopyOnWriteArrayList<>();
    private final MessageDigest hash = Digest.newSha256();

    @BeforeEach
    void compress() {
        Random random = new Random(5);
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(3).setChecksum(true)) {
            for (int size : new int[] {1, 4096, FRAME, FRAME + 1, 1_000_003}) {
                byte[] content = new byte[size];
                random.nextBytes(content);
                Arrays.fill(content, 0, size / 2, (byte) size);
                List<ObjectFrames.Frame> stored = new ArrayList<>();
                for (int at = 0; at < size; at += FRAME) {
                    byte[] frame = zstd.compress(Arrays.copyOfRange(content, at, Math.min(size, at + FRAME)));
                    frames.add(frame);
                    stored.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
                }
                contents.add(content);
                objects.add(new PackedObject(Digest.of(content), size, ObjectFrames.of(size, stored)));
            }
        }
    }

    /** Those of zstd at a level that no service uses. */
    private List<PackedObject> ofAnotherZstd() {
        List<PackedObject> longer = new ArrayList<>();
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(-7).setChecksum(true)) {
            for (int i = 0; i < objects.size(); i++) {
                List<ObjectFrames.Frame> stored = new ArrayList<>();
                for (int at = 0; at < contents.get(i).length; at += FRAME) {
                    byte[] frame = zstd.compress(part(i, at));
                    stored.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
                }
                PackedObject object = objects.get(i);
                longer.add(new PackedObject(object.digest(), object.size(), ObjectFrames.of(object.size(), stored)));
            }
        }
        return longer;
    }

    private byte[] part(int object, int at) {
        byte[] content = contents.get(object);
        return Arrays.copyOfRange(content, at, Math.min(content.length, at + FRAME));
    }

    private void fill(Pack pack, int object) throws IOException {
        IndexRange range = pack.layout().framesOf(object);
        for (int frame = range.from(); frame < range.to(); frame++) {
            pack.fill(frame, part(object, (frame - range.from()) * FRAME));
        }
    }

    @Test
    void framesAreMadeOfTheirContent() throws IOException {
        for (List<PackedObject> each : List.of(objects, ofAnotherZstd())) {
            try (Packs packs = open((_, _) -> new CompletableFuture<>())) {
                Pack pack = packs.add("made", each);
                for (int object = 0; object < each.size(); object++) {
                    fill(pack, object);
                    assertThat(Files.readAllBytes(pack.file(object))).isEqualTo(contents.get(object));
                    try (InputStream stored =
                                    packs.stored(each.get(object).digest()).orElseThrow();
                            InputStream raw = new ZstdInputStream(stored)) {
                        assertThat(raw.readAllBytes()).isEqualTo(contents.get(object));
                    }
                }
            }
            Packs.remove(temp.toRealPath().resolve("packs"));
        }
    }

    /** EROFS may have kept a part of what was there before. */
    @Test
    void whereFramesHaveGoneOnlyTheSameBytesAreWritten() throws IOException {
        int large = objects.indexOf(
                objects.stream().max(Comparator.comparing(PackedObject::size)).orElseThrow());
        for (List<PackedObject> each : List.of(objects, ofAnotherZstd())) {
            try (Packs packs = open((_, _) -> new CompletableFuture<>())) {
                Pack pack = packs.add("gone", each);
                fill(pack, large);
                packs.drop(each.get(large).digest());
                if (each.equals(objects)) {
                    fill(pack, large);
                    assertThat(Files.readAllBytes(pack.file(large))).isEqualTo(contents.get(large));
                } else {
                    assertThatThrownBy(() -> fill(pack, large)).hasMessageContaining("another version of zstd");
                }
            }
            Packs.remove(temp.toRealPath().resolve("packs"));
        }
    }

    @AfterEach
    void unmount() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(temp.toRealPath())) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    private Packs open(MissingFrames missing) throws IOException {
        Packs packs = Packs.open(temp.toRealPath().resolve("packs"), Optional.empty());
        packs.serve(missing);
        return packs;
    }

    private CompletableFuture<Void> bring(Pack pack, IndexRange range) {
        brought.add(range);
        try {
            put(pack, range.from(), range.to());
            return CompletableFuture.completedFuture(null);
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private synchronized void put(Pack pack, int from, int to) throws IOException {
        for (int frame = from; frame < to; frame++) {
            pack.put(frame, ByteBuffer.wrap(frames.get(frame)), hash);
        }
    }

    private static CompletableFuture<Void> nothing(Pack pack, IndexRange frames) {
        return CompletableFuture.failedFuture(new IOException("the service does not answer"));
    }

    private byte[] read(Pack pack, int object) throws IOException {
        return Files.readAllBytes(
                pack.point().resolve(objects.get(object).digest().objectPath()));
    }

    private void assertReads(Pack pack) throws IOException {
        for (int i = 0; i < contents.size(); i++) {
            assertThat(read(pack, i)).isEqualTo(contents.get(i));
        }
    }

    @Test
    void readersWaitForTheFramesThatTheyRead() throws Exception {
        try (Packs packs = open(this::bring)) {
            Pack pack = packs.add("one", objects);
            put(pack, 0, 2);
            assertThat(read(pack, 1)).isEqualTo(contents.get(1));
            assertThat(brought).isEmpty();
            assertReads(pack);
            assertThat(pack.isComplete()).isTrue();
            assertThat(packs.waited()).isPositive();
            packs.settled(pack);
            int before = brought.size();
            assertReads(pack);
            assertThat(brought).hasSize(before);
            assertThat(packs.find(objects.get(3).digest())).contains(new Packs.Place(pack, 3));
        }
    }

    @Test
    void whatCannotBeHadIsAnErrorAndNeverZeros() throws Exception {
        try (Packs packs = open(PacksIT::nothing)) {
            Pack pack = packs.add("one", objects);
            put(pack, 0, 1);
            assertThat(read(pack, 0)).isEqualTo(contents.getFirst());
            for (int i = 1; i < contents.size(); i++) {
                int object = i;
                assertThatThrownBy(() -> read(pack, object)).isInstanceOf(IOException.class);
            }
            put(pack, 1, frames.size());
            assertReads(pack);
        }
    }

    @Test
    void aBugOfWhoBringsThemIsAnErrorOfTheReader() throws Exception {
        MissingFrames broken = (_, _) -> {
            throw new IllegalStateException("a bug");
        };
        try (Packs packs = open(broken)) {
            Pack pack = packs.add("one", objects);
            assertThatThrownBy(() -> read(pack, 0)).isInstanceOf(IOException.class);
            put(pack, 0, frames.size());
            assertReads(pack);
        }
    }

    @Test
    void evenAnErrorOfWhoBringsThemIsAnAnswer() throws Exception {
        try (Packs packs = open((pack, range) -> {
            throw new OutOfMemoryError("a small heap");
        })) {
            Pack pack = packs.add("one", objects);
            assertThatThrownBy(() -> read(pack, 0)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> read(pack, 1)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anEmptyPackThatAStartUsesStays() throws Exception {
        try (Packs packs = open(this::bring)) {
            Pack pack = packs.add("one", objects);
            long before = System.nanoTime();
            assertThat(packs.use(objects.getFirst().digest())).isPresent();
            packs.removeEmpty(before);
            assertThat(read(pack, 0)).isEqualTo(contents.getFirst());
            packs.drop(objects.getFirst().digest());
        }
    }

    /** Of a power cut. */
    @Test
    void anImageThatWasNotFlushedIsWrittenAgain() throws Exception {
        Path directory;
        try (Packs packs = open(PacksIT::nothing)) {
            Pack pack = packs.add("one", objects);
            put(pack, 0, frames.size());
            directory = pack.directory();
        }
        Mounts.detach(directory.resolve("mnt"));
        Files.write(directory.resolve("image"), new byte[0]);
        Files.writeString(directory.resolve("boot"), "another");
        try (Packs packs = open(PacksIT::nothing)) {
            assertReads(packs.all().getFirst());
        }
    }

    @Test
    void aWrongFrameIsNeverVisible() throws Exception {
        try (Packs packs = open(PacksIT::nothing)) {
            Pack pack = packs.add("one", objects);
            byte[] wrong = frames.get(4).clone();
            wrong[wrong.length / 2] ^= 1;
            assertThatThrownBy(() -> pack.put(4, ByteBuffer.wrap(wrong), hash))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.WRONG_CONTENT));
            assertThat(pack.has(4)).isFalse();
        }
    }

    @Test
    void anotherProcessGoesOnWithThePacks() throws Exception {
        try (Packs packs = open(PacksIT::nothing)) {
            put(packs.add("one", objects), 0, 3);
        }
        try (Packs packs = open(this::bring)) {
            Pack pack = packs.find(objects.getFirst().digest()).orElseThrow().pack();
            assertThat(pack.presentFrames()).isEqualTo(3);
            assertReads(pack);
            assertThat(brought).isNotEmpty();
        }
    }

    @Test
    void whatWasDroppedStaysAwayWhenTheMachineRestarts() throws Exception {
        Path directory = temp.toRealPath().resolve("packs/one");
        try (Packs packs = open(PacksIT::nothing)) {
            put(packs.add("one", objects), 0, frames.size());
            packs.flush();
            assertThat(packs.drop(objects.getLast().digest())).isPositive();
            packs.freeDropped();
            packs.flush();
        }
        unmount();
        Files.writeString(directory.resolve("boot"), "another");
        try (Packs packs = open(this::bring)) {
            Pack pack = packs.find(objects.getFirst().digest()).orElseThrow().pack();
            assertThat(packs.whole(objects.getLast().digest())).isEmpty();
            assertThat(packs.whole(objects.getFirst().digest())).isPresent();
            assertReads(pack);
            assertThat(brought).isNotEmpty();
        }
    }

    /** The boot of before has another name; a frame that was not flushed was damaged. */
    @Test
    void afterACrashOfTheMachineDamagedFramesAreMissing() throws Exception {
        Path directory = temp.toRealPath().resolve("packs/one");
        try (Packs packs = open(PacksIT::nothing)) {
            Pack pack = packs.add("one", objects);
            put(pack, 0, frames.size());
            try (FileChannel data = FileChannel.open(directory.resolve("data"), StandardOpenOption.WRITE)) {
                data.write(ByteBuffer.allocate(100), pack.layout().offset(4));
            }
        }
        unmount();
        Files.writeString(directory.resolve("boot"), "another");
        try (Packs packs = open(this::bring)) {
            Pack pack = packs.find(objects.getFirst().digest()).orElseThrow().pack();
            assertThat(pack.presentFrames()).isEqualTo(frames.size() - 1);
            assertReads(pack);
            assertThat(brought).hasSize(1);
            for (PackedObject object : objects) {
                assertThat(packs.drop(object.digest())).isPositive();
            }
            packs.removeEmpty(System.nanoTime());
            assertThat(packs.find(objects.getFirst().digest())).isEmpty();
            assertThat(directory).doesNotExist();
        }
    }
}

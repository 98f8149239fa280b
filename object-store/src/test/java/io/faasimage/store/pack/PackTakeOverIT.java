package io.faasimage.store.pack;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.ReadGuard;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads that wait while the process ends that would answer them. Needs root and Linux 6.15. */
@Timeout(60)
class PackTakeOverIT {
    private static final int FRAME = ObjectFrames.CONTENT_BYTES;
    private static final int FRAMES = 20;

    @TempDir
    Path temp;

    private final byte[] content = new byte[FRAMES * FRAME];
    private final List<byte[]> frames = new ArrayList<>();

    @AfterEach
    void unmount() throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(temp.toRealPath())) {
            Mounts.detach(Path.of(entry.target()));
        }
    }

    private PackedObject object() {
        new Random(3).nextBytes(content);
        List<ObjectFrames.Frame> stored = new ArrayList<>();
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true)) {
            for (int at = 0; at < content.length; at += FRAME) {
                byte[] frame = zstd.compress(Arrays.copyOfRange(content, at, at + FRAME));
                frames.add(frame);
                stored.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
            }
        }
        return new PackedObject(Digest.of(content), content.length, ObjectFrames.of(content.length, stored));
    }

    private CompletableFuture<Void> bring(Pack pack, IndexRange wanted) {
        try {
            for (int frame = wanted.from(); frame < wanted.to(); frame++) {
                pack.put(frame, ByteBuffer.wrap(frames.get(frame)), Digest.newSha256());
            }
            return CompletableFuture.completedFuture(null);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Test
    void theNextProcessAnswersThem() throws Exception {
        Path root = temp.toRealPath().resolve("packs");
        PackedObject object = object();
        List<Process> readers = new ArrayList<>();
        ReadGuard kept;
        try (Packs packs = Packs.open(root, Optional.empty())) {
            CountDownLatch waiting = new CountDownLatch(FRAMES);
            packs.serve((pack, wanted) -> {
                waiting.countDown();
                return new CompletableFuture<>();
            });
            Pack pack = packs.add("one", List.of(object));
            for (int frame = 0; frame < FRAMES; frame++) {
                readers.add(new ProcessBuilder(
                                "dd", "if=" + pack.file(0), "bs=" + FRAME, "skip=" + frame, "count=1", "status=none")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
            }
            assertThat(waiting.await(1, TimeUnit.MINUTES)).isTrue();
            kept = ReadGuard.of(ProcessHandle.current().pid(), packs.descriptor());
        }
        assertThat(readers).allMatch(Process::isAlive);
        try (Packs packs = Packs.open(root, Optional.of(kept))) {
            packs.serve(this::bring);
            for (int frame = 0; frame < FRAMES; frame++) {
                byte[] read = readers.get(frame).getInputStream().readAllBytes();
                assertThat(readers.get(frame).waitFor(10, TimeUnit.SECONDS)).isTrue();
                assertThat(read).isEqualTo(Arrays.copyOfRange(content, frame * FRAME, (frame + 1) * FRAME));
            }
        }
    }
}

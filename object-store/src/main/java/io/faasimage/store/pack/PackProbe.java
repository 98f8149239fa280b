package io.faasimage.store.pack;

import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackedObject;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The check whether the running kernel reads packs right, and what is missing in them never as zeros. */
public final class PackProbe {
    private static final int FRAME = ObjectFrames.CONTENT_BYTES;
    private static final int FRAMES = 3;

    private final byte[] content = new byte[FRAMES * FRAME];
    private final List<byte[]> frames = new ArrayList<>();
    private final PackedObject object;

    private PackProbe() {
        List<ObjectFrames.Frame> stored = new ArrayList<>();
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true)) {
            for (int i = 0; i < FRAMES; i++) {
                Arrays.fill(content, i * FRAME, (i + 1) * FRAME, (byte) (i + 1));
                byte[] frame = zstd.compress(Arrays.copyOfRange(content, i * FRAME, (i + 1) * FRAME));
                frames.add(frame);
                stored.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
            }
        }
        object = new PackedObject(Digest.of(content), content.length, ObjectFrames.of(content.length, stored));
    }

    /** Why packs below {@code root} would not work; empty when they do. */
    public static Optional<String> problem(Path root) {
        PackProbe probe = new PackProbe();
        Path directory = root.resolve("pack-probe");
        try {
            Packs.remove(directory);
            try {
                return probe.run(directory);
            } finally {
                Packs.remove(directory);
            }
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> run(Path directory) throws IOException {
        Path file;
        try (Packs packs = Packs.open(directory, Optional.empty())) {
            packs.serve(this::bring);
            Pack pack = packs.add("probe", List.of(object));
            put(pack, 0);
            file = pack.file(0);
            for (int frame = 0; frame < FRAMES - 1; frame++) {
                if (!isRead(file, frame)) {
                    return Optional.of("the kernel reads other bytes from a pack than those that are in it");
                }
            }
        }
        try {
            var _ = isRead(file, FRAMES - 1);
            return Optional.of("the kernel reads frames of a pack that are missing");
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean isRead(Path file, int frame) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(FRAME);
        try (FileChannel in = FileChannel.open(file)) {
            while (read.hasRemaining() && in.read(read, (long) frame * FRAME + read.position()) > 0) {
                // Until the whole frame was read.
            }
        }
        return !read.hasRemaining()
                && Arrays.equals(read.array(), Arrays.copyOfRange(content, frame * FRAME, (frame + 1) * FRAME));
    }

    private CompletableFuture<Void> bring(Pack pack, IndexRange wanted) {
        try {
            for (int frame = wanted.from(); frame < wanted.to(); frame++) {
                put(pack, frame);
            }
            return CompletableFuture.completedFuture(null);
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private void put(Pack pack, int frame) throws StoreException {
        pack.put(frame, ByteBuffer.wrap(frames.get(frame)), Digest.newSha256());
    }
}

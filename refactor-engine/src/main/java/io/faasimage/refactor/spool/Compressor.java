package io.faasimage.refactor.spool;

import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.refactor.fault.RefactorException;
import java.io.Closeable;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A compressor of contents that fit into a batch. Not thread-safe. */
final class Compressor implements Closeable {
    private final FrameEncoder encoder = new FrameEncoder();
    private final Arena arena = Arena.ofShared();
    private final ByteBuffer out =
            arena.allocate(FrameEncoder.room(SpoolBatch.BYTES)).asByteBuffer();

    /** Compresses one content of {@code batch} to the end of {@code file}. */
    SpooledObject compress(SpoolBatch batch, SpoolBatch.Item item, FrameFile file) throws RefactorException {
        encoder.level(item.level());
        out.clear();
        List<ObjectFrames.Frame> frames = new ArrayList<>(ObjectFrames.count(item.size()));
        for (int at = 0; at < item.size(); at += ObjectFrames.CONTENT_BYTES) {
            int length = Math.min(ObjectFrames.CONTENT_BYTES, item.size() - at);
            frames.add(encoder.encode(batch.bytes(), item.offset() + at, length, out));
        }
        long at = file.append(out.flip());
        return new SpooledObject(
                item.digest(), file.channel(), at, item.size(), item.level(), ObjectFrames.of(item.size(), frames));
    }

    @Override
    public void close() {
        encoder.close();
        arena.close();
    }
}

package io.faasimage.refactor.spool;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.refactor.fault.RefactorException;
import java.io.Closeable;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A compressor of contents that are too large for memory, one after the other, to the end of a file that it alone
 * writes. Not thread-safe.
 */
final class FrameStream implements Closeable {
    private final FrameFile file;
    private final FrameEncoder encoder = new FrameEncoder();
    private final Arena arena = Arena.ofShared();
    private final byte[] in = new byte[ObjectFrames.CONTENT_BYTES];
    private final ByteBuffer out =
            arena.allocate(FrameEncoder.room(ObjectFrames.CONTENT_BYTES)).asByteBuffer();
    private final List<ObjectFrames.Frame> frames = new ArrayList<>();
    private int filled;
    private long length;

    FrameStream(FrameFile file) {
        this.file = file;
    }

    /** Begins a content; one that was begun before is dropped. */
    void begin(int level) {
        encoder.level(level);
        frames.clear();
        filled = 0;
        length = 0;
    }

    void write(byte[] bytes, int offset, int count) throws RefactorException {
        for (int done = 0; done < count; ) {
            int n = Math.min(count - done, in.length - filled);
            System.arraycopy(bytes, offset + done, in, filled, n);
            done += n;
            filled += n;
            if (filled == in.length) {
                drain();
            }
        }
    }

    /** Ends this content, whose frames stay at the end of the file. */
    SpooledObject finish(Digest digest, long size, int level) throws RefactorException {
        if (filled > 0) {
            drain();
        }
        SpooledObject object =
                new SpooledObject(digest, file.channel(), file.end(), size, level, ObjectFrames.of(size, frames));
        file.take(length);
        return object;
    }

    private void drain() throws RefactorException {
        frames.add(encoder.encode(in, 0, filled, out.clear()));
        filled = 0;
        out.flip();
        int stored = out.remaining();
        file.write(out, file.end() + length);
        length += stored;
    }

    @Override
    public void close() {
        encoder.close();
        arena.close();
    }
}

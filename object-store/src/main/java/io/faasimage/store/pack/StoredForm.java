package io.faasimage.store.pack;

import io.faasimage.format.plan.IndexRange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** The stored form of an object, frame by frame out of its pack. For one thread. */
final class StoredForm extends InputStream {
    private final Pack pack;
    private final IndexRange frames;
    private int frame;
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    StoredForm(Pack pack, IndexRange frames) {
        this.pack = pack;
        this.frames = frames;
        this.frame = frames.from();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (!bytes.hasRemaining()) {
            if (frame == frames.to()) {
                return -1;
            }
            if (!pack.has(frame)) {
                throw new IOException("frame " + frame + " of pack " + pack.name() + " was dropped");
            }
            bytes = pack.read(frame++);
        }
        int count = Math.min(length, bytes.remaining());
        bytes.get(buffer, offset, count);
        return count;
    }
}

package io.faasimage.refactor.spool;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** The bytes of a frame in the spool. Not thread-safe. */
final class FrameInput extends InputStream {
    private final SpooledObject frame;
    private long position;

    FrameInput(SpooledObject frame) {
        this.frame = frame;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int n = (int) Math.min(length, frame.length() - position);
        if (n <= 0) {
            return length == 0 ? 0 : -1;
        }
        FrameFile.read(frame.channel(), ByteBuffer.wrap(target, offset, n), frame.offset() + position);
        position += n;
        return n;
    }
}

package io.faasimage.refactor.spool;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A frame of a content that is too large for memory. */
final class LargeFrame {
    private static final int BUFFER = 256 << 10;

    private LargeFrame() {}

    /** Compresses the content of {@code frame} again, to the end of {@code file}. */
    static SpooledFrame compressAgain(SpooledFrame frame, int level, FrameFile file) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (InputStream raw = content(frame);
                FrameStream again = new FrameStream(file)) {
            again.begin(frame.size(), level);
            for (int n = raw.read(buffer); n >= 0; n = raw.read(buffer)) {
                again.write(buffer, 0, n);
            }
            return again.finish(frame.digest(), frame.size(), level);
        }
    }

    /** The content of {@code frame}. */
    static InputStream content(SpooledFrame frame) throws IOException {
        return new ZstdInputStreamNoFinalizer(new BufferedInputStream(new Stored(frame), BUFFER));
    }

    /** The bytes of a frame. */
    private static final class Stored extends InputStream {
        private final SpooledFrame frame;
        private long done;

        Stored(SpooledFrame frame) {
            this.frame = frame;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = (int) Math.min(length, frame.length() - done);
            if (n <= 0) {
                return length == 0 ? 0 : -1;
            }
            FrameFile.read(frame.channel(), ByteBuffer.wrap(buffer, offset, n), frame.offset() + done);
            done += n;
            return n;
        }
    }
}

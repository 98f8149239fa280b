package io.faasimage.refactor.spool;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A frame of a content that is too large for memory. */
final class LargeFrame {
    private static final int BUFFER = 256 << 10;

    private LargeFrame() {}

    /** The content of a frame, from its beginning. */
    static InputStream open(SpooledObject frame) throws IOException {
        return new ZstdInputStreamNoFinalizer(new BufferedInputStream(new FrameInput(frame), BUFFER));
    }

    /** Compresses the content of {@code frame} again, to the end of {@code file}. */
    static SpooledObject compressAgain(SpooledObject frame, int level, FrameFile file) throws IOException {
        byte[] buffer = new byte[BUFFER];
        try (InputStream raw = open(frame);
                FrameStream again = new FrameStream(file)) {
            again.begin(level);
            for (int n = raw.read(buffer); n >= 0; n = raw.read(buffer)) {
                again.write(buffer, 0, n);
            }
            return again.finish(frame.digest(), frame.size(), level);
        }
    }
}

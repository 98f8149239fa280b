package io.faasimage.node.link.service;

import com.github.luben.zstd.ZstdCompressCtx;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A content as it is stored.
 *
 * @param frames their lengths and digests
 * @param bytes of all frames, one behind the other
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredFrames(ObjectFrames frames, byte[] bytes) {
    /** Compresses a content. */
    public static StoredFrames of(byte[] content) {
        return of(content, true);
    }

    /** Compresses a content; {@code sized} is whether frames say how much they have, which makes another form. */
    static StoredFrames of(byte[] content, boolean sized) {
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        List<ObjectFrames.Frame> frames = new ArrayList<>();
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true).setContentSize(sized)) {
            for (int at = 0; at < content.length; at += ObjectFrames.CONTENT_BYTES) {
                int end = Math.min(content.length, at + ObjectFrames.CONTENT_BYTES);
                byte[] frame = zstd.compress(Arrays.copyOfRange(content, at, end));
                frames.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
                stored.writeBytes(frame);
            }
        }
        return new StoredFrames(ObjectFrames.of(content.length, frames), stored.toByteArray());
    }

    /** The bytes of one frame. */
    public byte[] frame(int number) {
        return Arrays.copyOfRange(bytes, (int) frames.offset(number), (int) frames.end(number));
    }
}

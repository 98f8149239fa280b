package io.faasimage.registry;

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
 * @param bytes of all frames
 * @param frames which they are
 */
@SuppressWarnings("ArrayRecordComponent")
public record StoredForm(byte[] bytes, ObjectFrames frames) {
    /** The stored form of a content, compressed with this level. */
    public static StoredForm of(byte[] content, int level) {
        List<ObjectFrames.Frame> frames = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setChecksum(true).setLevel(level)) {
            for (int at = 0; at < content.length; at += ObjectFrames.CONTENT_BYTES) {
                byte[] frame = zstd.compress(
                        Arrays.copyOfRange(content, at, Math.min(content.length, at + ObjectFrames.CONTENT_BYTES)));
                frames.add(new ObjectFrames.Frame(frame.length, Digest.of(frame)));
                bytes.writeBytes(frame);
            }
        }
        return new StoredForm(bytes.toByteArray(), ObjectFrames.of(content.length, frames));
    }
}

package io.faasimage.node;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;

/** Compiles what the first pull would otherwise run interpreted: hashing and decompressing. Takes some ten milliseconds. */
final class WarmUp {
    private static final int ROUNDS = 200;

    private WarmUp() {}

    static void run() {
        byte[] content = new byte[16 << 10];
        byte[] frame = Zstd.compress(content);
        byte[] raw = new byte[content.length];
        for (int i = 0; i < ROUNDS; i++) {
            Zstd.decompressByteArray(raw, 0, raw.length, frame, 0, frame.length);
            if (Digest.of(raw).hex().isEmpty()) {
                throw new IllegalStateException("a digest is never empty");
            }
        }
    }
}

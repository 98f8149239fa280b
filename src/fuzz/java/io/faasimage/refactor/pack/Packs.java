package io.faasimage.refactor.pack;

import io.faasimage.format.id.Digest;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** A small pack, for the fuzzer. */
public final class Packs {
    private Packs() {}

    /** With two frames, which nobody decompresses. */
    public static byte[] example() {
        ByteArrayOutputStream pack = new ByteArrayOutputStream();
        pack.writeBytes(PackFormat.header());
        pack.writeBytes(new byte[7]);
        int index = pack.size();
        pack.writeBytes(PackFormat.index(List.of(
                new PackEntry(Digest.of(new byte[] {1}), PackFormat.HEADER_BYTES, 3, 9),
                new PackEntry(Digest.of(new byte[] {2}), PackFormat.HEADER_BYTES + 3, 4, 1))));
        pack.writeBytes(PackFormat.trailer(index));
        return pack.toByteArray();
    }
}

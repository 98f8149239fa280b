package io.faasimage.refactor.pack;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.ObjectFrames.Frame;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** A small pack, for the fuzzer. */
public final class Packs {
    private Packs() {}

    /** With two objects, whose frames nobody decompresses. */
    public static byte[] example() {
        ByteArrayOutputStream pack = new ByteArrayOutputStream();
        pack.writeBytes(PackFormat.header());
        pack.writeBytes(new byte[7]);
        int index = pack.size();
        pack.writeBytes(PackFormat.index(
                List.of(entry(1, PackFormat.HEADER_BYTES, 9, 3), entry(2, PackFormat.HEADER_BYTES + 3, 1, 4))));
        pack.writeBytes(PackFormat.trailer(index));
        return pack.toByteArray();
    }

    private static PackEntry entry(int seed, long offset, long size, int stored) {
        Digest digest = Digest.of(new byte[] {(byte) seed});
        return new PackEntry(digest, offset, size, ObjectFrames.of(size, List.of(new Frame(stored, digest))));
    }
}

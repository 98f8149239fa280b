package io.faasimage.refactor.layer;

import io.faasimage.format.id.Digest;
import io.faasimage.layer.ReadThroughStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/** A stream that passes a blob on and hashes its blocks. Not thread-safe. */
final class BlockHashes extends ReadThroughStream {
    private final List<Digest> digests = new ArrayList<>();
    private final MessageDigest hash = Digest.newSha256();
    private long size;
    private int filled;

    BlockHashes(InputStream in) {
        super(in);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = in.read(buffer, offset, length);
        for (int done = 0; done < n; ) {
            int part = Math.min(n - done, BlobBlocks.BLOCK - filled);
            hash.update(buffer, offset + done, part);
            done += part;
            filled += part;
            if (filled == BlobBlocks.BLOCK) {
                endBlock();
            }
        }
        size += Math.max(0, n);
        return n;
    }

    private void endBlock() {
        digests.add(Digest.ofBytes(hash.digest()));
        filled = 0;
    }

    /** The hashes of all blocks of the blob. Called once, at the end. */
    BlobBlocks blocks() {
        if (filled > 0) {
            endBlock();
        }
        return new BlobBlocks(size, digests);
    }
}

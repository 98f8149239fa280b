package io.faasimage.registry.garbage;

import io.faasimage.format.id.Digest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The first eight bytes of many digests, eight bytes of memory each. Two digests that begin alike count as one, so that
 * a set of needed objects may hold one too many, never one too few. Not thread-safe.
 */
final class DigestPrefixes {
    private static final int FIRST = 1 << 12;

    private long[] prefixes = new long[FIRST];
    private int size;
    /** Whether {@link #prefixes} is in order, each once. */
    private boolean ordered = true;

    void add(Digest digest) {
        add(digest.a());
    }

    /** Adds whatever could be a digest in these bytes, wherever it begins. */
    void addAllIn(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        for (int i = 0; i <= bytes.length - Long.BYTES; i++) {
            add(buffer.getLong(i));
        }
    }

    private void add(long prefix) {
        if (size == prefixes.length) {
            order();
            if (size > prefixes.length / 2) {
                prefixes = Arrays.copyOf(prefixes, Math.multiplyExact(prefixes.length, 2));
            }
        }
        prefixes[size++] = prefix;
        ordered = false;
    }

    boolean contains(Digest digest) {
        order();
        return Arrays.binarySearch(prefixes, 0, size, digest.a()) >= 0;
    }

    private void order() {
        if (ordered) {
            return;
        }
        Arrays.sort(prefixes, 0, size);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if (i == 0 || prefixes[i] != prefixes[i - 1]) {
                prefixes[kept++] = prefixes[i];
            }
        }
        size = kept;
        ordered = true;
    }
}

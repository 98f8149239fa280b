package io.faasimage.refactor.spool;

import io.faasimage.format.id.Digest;
import java.util.ArrayList;
import java.util.List;

/**
 * Small contents that are compressed together, in one array. Handed from the thread that fills it to the one that
 * compresses.
 */
final class SpoolBatch {
    /** Bytes of all contents of a batch; a content with more of them is too large for it. */
    static final int BYTES = 2 << 20;

    private static final int MAX_ITEMS = 256;

    /** A content at a place of the array, and the level to compress it with. */
    record Item(Digest digest, int offset, int size, int level) {}

    private final byte[] bytes;
    private final List<Item> items = new ArrayList<>();
    private int end;

    SpoolBatch(byte[] bytes) {
        this.bytes = bytes;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Where the next content begins. */
    int end() {
        return end;
    }

    boolean hasRoom(int size) {
        return size <= bytes.length - end && items.size() < MAX_ITEMS;
    }

    /** Adds the content that was put at {@link #end}. */
    void add(Digest digest, int size, int level) {
        items.add(new Item(digest, end, size, level));
        end += size;
    }

    List<Item> items() {
        return items;
    }

    List<Digest> digests() {
        return items.stream().map(Item::digest).toList();
    }
}

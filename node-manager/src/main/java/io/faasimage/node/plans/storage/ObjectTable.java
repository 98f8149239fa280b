package io.faasimage.node.plans.storage;

import io.faasimage.format.id.Digest;
import java.util.Arrays;

/**
 * A number for each of some objects, in arrays: at most 48 bytes an object. Objects are known by the first eight
 * bytes of their digests; two that agree there, if ever, share the higher number. Used by one thread.
 */
final class ObjectTable {
    private static final int FIRST_SLOTS = 1 << 12;

    private long[] keys = new long[FIRST_SLOTS];
    /** One more than the level; 0 for an empty slot. */
    private int[] levels = new int[FIRST_SLOTS];

    private int size;

    void clear() {
        Arrays.fill(levels, 0);
        size = 0;
    }

    int size() {
        return size;
    }

    /** Puts an object in, with level 0. */
    void add(Digest object) {
        if (2 * size >= keys.length) {
            grow();
        }
        int slot = slot(object.a());
        if (levels[slot] == 0) {
            size++;
            keys[slot] = object.a();
            levels[slot] = 1;
        }
    }

    /** Raises the level of an object that is in the table. */
    void raise(Digest object, int level) {
        int slot = slot(object.a());
        if (levels[slot] != 0) {
            levels[slot] = Math.max(levels[slot], level + 1);
        }
    }

    /** The level of an object; -1 when it is not in the table. */
    int level(Digest object) {
        return levels[slot(object.a())] - 1;
    }

    /** Where the object is, or would be. */
    private int slot(long key) {
        int slot = (int) (key ^ (key >>> 32)) & (keys.length - 1);
        while (levels[slot] != 0 && keys[slot] != key) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldLevels = levels;
        keys = new long[2 * oldKeys.length];
        levels = new int[2 * oldKeys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldLevels[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                levels[slot] = oldLevels[i];
            }
        }
    }
}

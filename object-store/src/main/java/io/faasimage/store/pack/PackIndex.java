package io.faasimage.store.pack;

import io.faasimage.format.id.Digest;
import io.faasimage.format.pack.PackLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An index from an object to the packs that may have a place for it: a hash table of four bytes a slot, of which 16
 * bits are the number of a pack and 16 bits of the digest, so that it is wrong once in some thousands of look-ups. The
 * packs are asked then. Thread-safe.
 */
final class PackIndex {
    private static final int NUMBER_BITS = 16;
    private static final int MOST_PACKS = (1 << NUMBER_BITS) - 1;
    private static final int NUMBER = MOST_PACKS;
    private static final int LEAST_SLOTS = 1024;

    /** By their numbers less one, the oldest first; null for one that is gone. */
    private final List<@Nullable Pack> packs = new ArrayList<>();

    private int[] slots = new int[LEAST_SLOTS];
    private int used;

    /** Adds a pack, which is the newest, with the objects of its layout. */
    synchronized void add(Pack pack, PackLayout layout) {
        if (packs.size() == MOST_PACKS || isFull(used + layout.objects())) {
            rebuild(layout.objects());
        }
        insert(pack, layout);
    }

    /** Removes a pack. */
    synchronized void remove(Pack pack) {
        int at = packs.indexOf(pack);
        if (at >= 0) {
            packs.set(at, null);
        }
    }

    private boolean isFull(long objects) {
        return slotsFor(objects) > slots.length;
    }

    /** A power of two; a third of them stays free. */
    private static int slotsFor(long objects) {
        long least = Math.max(LEAST_SLOTS, objects * 3 / 2);
        return Math.toIntExact(Long.highestOneBit(least - 1) << 1);
    }

    private void rebuild(int more) {
        List<Pack> live = packs.stream().filter(Objects::nonNull).toList();
        long objects =
                more + live.stream().mapToLong(pack -> pack.layout().objects()).sum();
        packs.clear();
        used = 0;
        slots = new int[slotsFor(objects)];
        live.forEach(pack -> insert(pack, pack.layout()));
    }

    private void insert(Pack pack, PackLayout layout) {
        packs.add(pack);
        for (int object = 0; object < layout.objects(); object++) {
            long digest = layout.object(object).a();
            int at = slot(digest);
            while (slots[at] != 0) {
                at = at + 1 & slots.length - 1;
            }
            slots[at] = part(digest) | packs.size();
        }
        used += layout.objects();
    }

    /** The packs that may have a place for an object, the newest first. */
    synchronized List<Pack> having(Digest object) {
        List<Pack> found = List.of();
        int part = part(object.a());
        for (int at = slot(object.a()); slots[at] != 0; at = at + 1 & slots.length - 1) {
            if ((slots[at] & ~NUMBER) == part) {
                Pack pack = packs.get((slots[at] & NUMBER) - 1);
                if (pack != null) {
                    found = found.isEmpty() ? new ArrayList<>(1) : found;
                    found.add(pack);
                }
            }
        }
        return found.reversed();
    }

    private static int part(long digest) {
        return (int) digest & ~NUMBER;
    }

    private int slot(long digest) {
        return (int) (digest >>> 32) & slots.length - 1;
    }
}

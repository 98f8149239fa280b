package io.faasimage.format.tree;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The attributes of an inode besides its type and content.
 *
 * @param mode permission bits with set-uid, set-gid and sticky (0 to 07777)
 * @param uid owner, an unsigned 32-bit number
 * @param gid group, an unsigned 32-bit number
 * @param mtimeSeconds time of modification, seconds since the epoch; may be negative
 * @param mtimeNanos nanoseconds of it, 0 to 999,999,999
 * @param xattrs extended attributes by full name ({@code security.capability}); name one char per byte; unmodifiable;
 *     values must not be changed
 */
public record Attributes(
        int mode, int uid, int gid, long mtimeSeconds, int mtimeNanos, SortedMap<String, byte[]> xattrs) {
    /** Checks the ranges and copies the map. */
    public Attributes {
        if ((mode & ~07777) != 0) {
            throw new IllegalArgumentException("mode has bits beyond 07777: 0" + Integer.toOctalString(mode));
        }
        if (mtimeNanos < 0 || mtimeNanos > 999_999_999) {
            throw new IllegalArgumentException("nanoseconds out of range: " + mtimeNanos);
        }
        xattrs = xattrs.isEmpty()
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(new TreeMap<>(xattrs));
    }

    /** Attributes without extended attributes. */
    public static Attributes of(int mode, int uid, int gid, long mtimeSeconds, int mtimeNanos) {
        return new Attributes(mode, uid, gid, mtimeSeconds, mtimeNanos, Collections.emptySortedMap());
    }
}

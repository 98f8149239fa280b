package io.faasimage.gate.lookup;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PieceMap;

/**
 * The meaning of a name in the gate. Directories have fixed numbers, so that another process can continue with a mount:
 * the root is 1, {@code fetch} 2, {@code verdict} 3, {@code partial} 4, and the shard {@code s} of {@code fetch} or
 * {@code verdict} 256 times its number plus {@code s}. A file below {@code partial} has its name, a hexadecimal number
 * of 60 bits, and one bit above.
 */
public sealed interface GatePath {
    /**
     * The root, {@code fetch}, {@code verdict}, {@code partial}, or a shard of the first two.
     *
     * @param node its number
     */
    record Directory(long node) implements GatePath {}

    /** An object under {@code fetch}: to be fetched. */
    record Fetch(Digest digest) implements GatePath {}

    /** An object under {@code verdict}: the reason of its absence is to be reported. */
    record Verdict(Digest digest) implements GatePath {}

    /**
     * A large object that is read in parts.
     *
     * @param node its number
     */
    record PartialFile(long node) implements GatePath {}

    /** Nothing of the gate's. */
    record Unknown() implements GatePath {}

    /** The root directory. */
    long ROOT = 1;

    /** The directory {@code fetch}. */
    long FETCH = 2;

    /** The directory {@code verdict}. */
    long VERDICT = 3;

    /** The directory {@code partial}. */
    long PARTIAL = 4;

    /** The number of a file is its name with this bit. */
    long FILE = 1L << 60;

    /** Whether a directory has this number. */
    static boolean isDirectory(long node) {
        return (node >= ROOT && node <= PARTIAL) || isShard(node);
    }

    /** Whether a file has this number. */
    static boolean isFile(long node) {
        return node >>> 60 == 1;
    }

    /** The name of the file with this number. */
    static String fileName(long node) {
        return "%015x".formatted(node & (FILE - 1));
    }

    private static boolean isShard(long node) {
        return node >= FETCH << Byte.SIZE && node < (VERDICT + 1) << Byte.SIZE;
    }

    /** The meaning of {@code name} in the directory with the number {@code parent}. */
    static GatePath child(long parent, String name) {
        if (parent == ROOT) {
            return switch (name) {
                case "fetch" -> new Directory(FETCH);
                case "verdict" -> new Directory(VERDICT);
                case "partial" -> new Directory(PARTIAL);
                default -> new Unknown();
            };
        }
        if (parent == PARTIAL) {
            return isHex(name, PieceMap.NAME_DIGITS) ? new PartialFile(FILE | Long.parseLong(name, 16)) : new Unknown();
        }
        if (parent == FETCH || parent == VERDICT) {
            return isHex(name, 2) ? new Directory(parent << Byte.SIZE | Integer.parseInt(name, 16)) : new Unknown();
        }
        if (!isShard(parent) || !isHex(name, 2 * Digest.BYTES - 2)) {
            return new Unknown();
        }
        Digest digest = new Digest("%02x%s".formatted(parent & 0xff, name));
        return parent >> Byte.SIZE == FETCH ? new Fetch(digest) : new Verdict(digest);
    }

    private static boolean isHex(String text, int length) {
        return text.length() == length && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}

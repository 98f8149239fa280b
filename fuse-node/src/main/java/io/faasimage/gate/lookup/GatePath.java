package io.faasimage.gate.lookup;

import io.faasimage.format.id.Digest;

/**
 * The meaning of a name in the gate. Directories have fixed numbers, so that another process can continue with a mount:
 * the root is 1, {@code fetch} 2, {@code verdict} 3, and the shard {@code s} of one of these 256 times its number plus
 * {@code s}.
 */
public sealed interface GatePath {
    /**
     * The root, {@code fetch}, {@code verdict}, or a shard of these.
     *
     * @param node its number
     */
    record Directory(long node) implements GatePath {}

    /** An object under {@code fetch}: to be fetched. */
    record Fetch(Digest digest) implements GatePath {}

    /** An object under {@code verdict}: the reason of its absence is to be reported. */
    record Verdict(Digest digest) implements GatePath {}

    /** Nothing of the gate's. */
    record Unknown() implements GatePath {}

    /** The root directory. */
    long ROOT = 1;

    /** The directory {@code fetch}. */
    long FETCH = 2;

    /** The directory {@code verdict}. */
    long VERDICT = 3;

    /** Whether a directory has this number. */
    static boolean isDirectory(long node) {
        return (node >= ROOT && node <= VERDICT) || isShard(node);
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
                default -> new Unknown();
            };
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

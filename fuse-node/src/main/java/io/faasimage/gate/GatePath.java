package io.faasimage.gate;

import io.faasimage.format.id.Digest;

/** What a path in the gate stands for. */
public sealed interface GatePath {
    /** The root, {@code fetch}, {@code verdict}, or a shard of these. */
    record Directory() implements GatePath {}

    /** An object under {@code fetch}: get it. */
    record Fetch(Digest digest) implements GatePath {}

    /** An object under {@code verdict}: say why it is not there. */
    record Verdict(Digest digest) implements GatePath {}

    /** Nothing of the gate's. */
    record Unknown() implements GatePath {}

    /** Reads a path as FUSE gives it: absolute, {@code /} between names. */
    static GatePath parse(String path) {
        if (path.equals("/")) {
            return new Directory();
        }
        String[] names = path.split("/", -1);
        if (names.length < 2 || names.length > 4 || !(names[1].equals("fetch") || names[1].equals("verdict"))) {
            return new Unknown();
        }
        if (names.length == 2) {
            return new Directory();
        }
        if (names[2].length() != 2 || !isHex(names[2])) {
            return new Unknown();
        }
        if (names.length == 3) {
            return new Directory();
        }
        if (names[3].length() != 2 * Digest.BYTES - 2 || !isHex(names[3])) {
            return new Unknown();
        }
        Digest digest = new Digest(names[2] + names[3]);
        return names[1].equals("fetch") ? new Fetch(digest) : new Verdict(digest);
    }

    private static boolean isHex(String text) {
        return text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}

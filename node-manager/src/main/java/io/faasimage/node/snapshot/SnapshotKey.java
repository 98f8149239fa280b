package io.faasimage.node.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the key of a snapshot tells. containerd writes {@code <namespace>/<number>/<the client's key>}. */
final class SnapshotKey {
    private static final Pattern NAMESPACED = Pattern.compile("[^/]+/[0-9]+/(.*)", Pattern.DOTALL);
    private static final String EXTRACTION = "extract-";

    private SnapshotKey() {}

    /** The key as the client gave it. */
    static String ofClient(String key) {
        Matcher matcher = NAMESPACED.matcher(key);
        return matcher.matches() ? matcher.group(1) : key;
    }

    /** Whether a client prepares a layer under this key, rather than a container's root file system. */
    static boolean isExtraction(String key) {
        return ofClient(key).startsWith(EXTRACTION);
    }

    /** The chain ID that a committed layer is named by, or that {@code label} holds. */
    static Optional<ChainId> chain(String label, String committedName) {
        return parse(label).or(() -> parse(ofClient(committedName)));
    }

    /** A digest in its text form; empty for anything else. */
    static Optional<Digest> digest(String text) {
        try {
            return Optional.of(Digest.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** A chain ID in its text form; empty for anything else. */
    static Optional<ChainId> parse(String text) {
        try {
            return Optional.of(ChainId.parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}

package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parsed key of a snapshot. */
final class SnapshotKey {
    private static final Pattern NAMESPACED = Pattern.compile("([^/]+)/[0-9]+/(.*)", Pattern.DOTALL);
    /** containerd's unpacker: {@code extract-<time>-<random> <chain ID>}; no container has a space in its name. */
    private static final Pattern EXTRACTION = Pattern.compile("extract-\\S+ \\S+");

    /** containerd's clients: {@code <parent>-parent-view}, with something random behind it since 1.3. */
    private static final String COMPARISON = "-parent-view";

    /** containerd's clients: the name of the layer to make, and {@code -remap}; containers' names have no colon. */
    private static final Pattern CHANGE_OF_OWNERS = Pattern.compile("sha256:[0-9a-f]{64}(-[0-9]+-[0-9]+)?-remap");

    /** Docker's engine: {@code <container>-init-key}, committed as {@code <container>-init}. */
    private static final Pattern INIT_LAYER = Pattern.compile("[0-9a-f]{64}-init(-key)?");

    private SnapshotKey() {}

    /** The key as the client gave it. */
    static String ofClient(String key) {
        Matcher matcher = NAMESPACED.matcher(key);
        return matcher.matches() ? matcher.group(2) : key;
    }

    /** The containerd namespace of the client; empty when the key has none. */
    static String namespace(String key) {
        Matcher matcher = NAMESPACED.matcher(key);
        return matcher.matches() ? matcher.group(1) : "";
    }

    /** Whether a client prepares a layer under this key, rather than a container's root file system. */
    static boolean isExtraction(String key) {
        return EXTRACTION.matcher(ofClient(key)).matches();
    }

    /**
     * The layer that a client is about to unpack: {@code label} names it, and the key ends with it. containerd 1.6 and
     * 2 also pass a pod's annotation of the label's name on with the sandbox's snapshot, whose key is the sandbox's ID.
     */
    static Optional<ChainId> layer(String key, String label) {
        return parse(label).filter(chain -> key.endsWith(" " + chain));
    }

    /** Whether a client is about to compare every file of the view with a container's, to make a layer of changes. */
    static boolean isComparison(String key) {
        return ofClient(key).contains(COMPARISON);
    }

    /** Whether a client gives all files of an image to the users of a user namespace, and commits that as a layer. */
    static boolean isChangeOfOwners(String key) {
        return CHANGE_OF_OWNERS.matcher(ofClient(key)).matches();
    }

    /** Whether it is the layer of mount points that Docker's engine puts between an image and each container. */
    static boolean isInitLayer(String key) {
        return INIT_LAYER.matcher(ofClient(key)).matches();
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

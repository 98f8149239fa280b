package io.faasimage.node.containerd.snapshot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The snapshots of one containerd among several that use this node's snapshotter, each on a socket of its own.
 * containerd removes every snapshot that a snapshotter lists and it does not know; two of them on one list would remove
 * each other's.
 *
 * @param prefix before each of its keys in the store: empty for the first, {@code <number>|} for the others; a
 *     containerd namespace, with which keys begin, has no such character
 */
record Scope(String prefix) {
    private static final Pattern PREFIX = Pattern.compile("[0-9]+\\|");

    /** The scope of socket number {@code number}, from 1. */
    static Scope ofSocket(int number) {
        return new Scope(number == 1 ? "" : number + "|");
    }

    /** The scope that a stored key belongs to. */
    static Scope ofKey(String stored) {
        Matcher matcher = PREFIX.matcher(stored);
        return new Scope(matcher.lookingAt() ? matcher.group() : "");
    }

    /** The stored form of a key; no key stays no key. */
    String stored(String key) {
        return key.isEmpty() ? "" : prefix + key;
    }

    /** Whether a stored snapshot is of this scope. */
    boolean holds(Snapshot snapshot) {
        return ofKey(snapshot.key()).equals(this);
    }

    /** A stored snapshot of this scope as its containerd knows it. */
    Snapshot shown(Snapshot snapshot) {
        return snapshot.withNames(shown(snapshot.key()), shown(snapshot.parent()));
    }

    /** The number of its socket, from 1. */
    int number() {
        return prefix.isEmpty() ? 1 : Integer.parseInt(prefix.substring(0, prefix.length() - 1));
    }

    /** A stored key of this scope as its containerd knows it. */
    String shown(String stored) {
        return stored.isEmpty() ? "" : stored.substring(prefix.length());
    }
}

package io.faasimage.node.containerd.image;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The leases of this agent's pulls in its containerd. The lease of a killed pull is found by its ID: in one containerd,
 * a snapshotter belongs to one agent. A namespace is searched before the first pull into it, and again after a lease
 * there could not be released. Thread-safe.
 */
final class Leases {
    /** The name of another snapshotter may begin with that of this one. */
    private static final int UUID_CHARS = 36;

    private final String prefix;
    private final Set<String> active = ConcurrentHashMap.newKeySet();
    private final Set<String> clean = ConcurrentHashMap.newKeySet();

    /** Leases for pulls with this snapshotter. */
    Leases(String snapshotter) {
        prefix = "faasimage-" + snapshotter + "-";
    }

    /** The ID of a lease that is about to be taken; it counts as one of a running pull until {@link #end}. */
    String begin() {
        String id = prefix + UUID.randomUUID();
        active.add(id);
        return id;
    }

    /** The pull is over. */
    void end(String id) {
        active.remove(id);
    }

    /** Whether a pull that is over has left this lease. */
    boolean isLeft(String id) {
        return id.startsWith(prefix) && id.length() == prefix.length() + UUID_CHARS && !active.contains(id);
    }

    /** Whether the namespace is to be looked through now; it counts as clean then. */
    boolean claimCleaning(String namespace) {
        return clean.add(namespace);
    }

    /** Something was left in the namespace. */
    void unclean(String namespace) {
        clean.remove(namespace);
    }
}

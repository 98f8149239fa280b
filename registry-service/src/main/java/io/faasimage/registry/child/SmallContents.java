package io.faasimage.registry.child;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.SoftCache;
import java.util.Optional;

/**
 * A bounded cache of small stored objects that jobs have read, such as the lists of a package manager: the next version
 * of a function has nearly all of them again, and each costs a request to the service. Of one child. Thread-safe.
 */
final class SmallContents {
    private final SoftCache<Digest, byte[]> contents;

    /** An empty cache of at most {@code most} bytes, including the overhead of entries. */
    SmallContents(long most) {
        this.contents = new SoftCache<>(most);
    }

    /** The content, if it is cached; it must not be changed. */
    Optional<byte[]> find(Digest digest) {
        return contents.find(digest);
    }

    /** Caches a content, unless its bytes have another digest: a damaged one would stay damaged. */
    void add(Digest digest, byte[] content) {
        if (Digest.of(content).equals(digest)) {
            contents.add(digest, content, content.length);
        }
    }
}

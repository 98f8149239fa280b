package io.faasimage.registry.child;

import io.faasimage.format.id.Digest;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A bounded cache of small stored objects that jobs have read, such as the lists of a package manager: the next version
 * of a function has nearly all of them again, and each costs a question to the service. Of one child, so of one tenant.
 * What a job needs of the heap comes first: contents go when it becomes scarce. Thread-safe.
 */
final class SmallContents {
    private final long most;
    /** The one that was used last comes last. */
    private final SequencedMap<Digest, Content> contents = new LinkedHashMap<>(16, 0.75f, true);

    private long bytes;

    private record Content(SoftReference<byte[]> bytes, int length) {}

    /** An empty cache of at most {@code most} bytes. */
    SmallContents(long most) {
        this.most = most;
    }

    /** The content, if it is cached. */
    synchronized Optional<byte[]> find(Digest digest) {
        return Optional.ofNullable(contents.get(digest)).map(content -> content.bytes.get());
    }

    /** Caches a content, unless its bytes have another digest: what is damaged would stay so. */
    synchronized void add(Digest digest, byte[] content) {
        if (content.length > most || !Digest.of(content).equals(digest)) {
            return;
        }
        Content before = contents.put(digest, new Content(new SoftReference<>(content), content.length));
        bytes += before == null ? content.length : 0;
        while (bytes > most) {
            bytes -= Objects.requireNonNull(contents.pollFirstEntry()).getValue().length;
        }
    }
}

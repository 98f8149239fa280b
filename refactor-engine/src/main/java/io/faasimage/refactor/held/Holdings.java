package io.faasimage.refactor.held;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects, layer indexes and metadata images that the service already stores; they are neither read nor packed
 * again. Must be thread-safe.
 */
public interface Holdings {
    /** Nothing. */
    Holdings NONE = new Holdings() {
        @Override
        public Set<Digest> held(Collection<Digest> digests) {
            return Set.of();
        }

        @Override
        public byte[] content(Digest digest) throws RefactorException {
            throw new RefactorException(Kind.LOCAL, "object " + digest + " is not held");
        }

        @Override
        public void copy(Digest digest, OutputStream out) throws RefactorException {
            throw new RefactorException(Kind.LOCAL, "object " + digest + " is not held");
        }

        @Override
        public Optional<byte[]> layerIndex(Digest blob) {
            return Optional.empty();
        }
    };

    /** Those of the objects that are stored and stay so. */
    Set<Digest> held(Collection<Digest> digests);

    /**
     * The verified content of a held object; only for small ones.
     *
     * @throws RefactorException UNAVAILABLE when it is damaged: it is not held any more, and to be read from its layer
     */
    byte[] content(Digest digest) throws IOException;

    /**
     * Writes the content of a held object of any size; bytes that were written before a failure must be discarded.
     *
     * @throws RefactorException as {@link #content}
     */
    void copy(Digest digest, OutputStream out) throws IOException;

    /** Whether the metadata image of this digest is stored and stays so. */
    default boolean holdsMetadata(Digest metadata) {
        return false;
    }

    /**
     * The content of a held object of any size, from its beginning, to look into it: its digest is not verified.
     *
     * @throws RefactorException UNAVAILABLE, also while it is read, when it is damaged
     */
    default InputStream open(Digest digest) throws IOException {
        return new ByteArrayInputStream(content(digest));
    }

    /** The frames of the objects in {@code digests} that the service has already, by digest. */
    default Map<Digest, ObjectFrames> frames(Collection<Digest> digests) throws IOException {
        return Map.of();
    }

    /** The bytes of the index that was made of this layer blob, if any. */
    Optional<byte[]> layerIndex(Digest blob) throws IOException;
}

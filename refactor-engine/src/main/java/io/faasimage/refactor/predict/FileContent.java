package io.faasimage.refactor.predict;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The content of one file while it is parsed. A short one has the right digest, or cannot be opened; of another one it
 * finds out whether the bytes have it, if they are read from the beginning to the end. For one thread.
 */
final class FileContent {
    /** As much as comes with the answer to one question for a stored object. */
    private static final int SHORT_BYTES = 128 << 10;

    private final TreeFiles.Objects objects;
    private final ImageEntry.File file;
    private final Optional<Digest> digest;
    private Optional<byte[]> whole = Optional.empty();
    /** Hash of the bytes that each stream of a long content has read; skipped bytes are missing in it. */
    private final List<MessageDigest> hashes = new ArrayList<>();

    /** The content of {@code file}; without {@code hashed}, its digest is of no interest. */
    FileContent(TreeFiles.Objects objects, ImageEntry.File file, boolean hashed) {
        this.objects = objects;
        this.file = file;
        this.digest = hashed ? file.content() : Optional.empty();
    }

    /** Whether it can be parsed without being read whole. */
    boolean isLong() {
        return digest.isPresent() && file.size() > SHORT_BYTES;
    }

    /** Whether the bytes that were read are those of the digest. To be called once, after the last read. */
    boolean isVerified() {
        return whole.isPresent()
                || hashes.stream()
                        .map(hash -> Optional.of(Digest.ofBytes(hash.digest())))
                        .anyMatch(digest::equals);
    }

    /**
     * The bytes from the beginning.
     *
     * @throws RefactorException when a short content has another digest, after the store has verified the object
     */
    InputStream open() throws IOException {
        if (digest.isEmpty()) {
            return file.content().isEmpty()
                    ? InputStream.nullInputStream()
                    : objects.open(file.content().get());
        }
        if (isLong()) {
            MessageDigest hash = Digest.newSha256();
            hashes.add(hash);
            return new DigestInputStream(objects.open(digest.get()), hash);
        }
        if (whole.isEmpty()) {
            whole = Optional.of(readWhole(digest.get()));
        }
        return new ByteArrayInputStream(whole.get());
    }

    private byte[] readWhole(Digest wanted) throws IOException {
        byte[] bytes;
        try (InputStream in = objects.open(wanted)) {
            bytes = in.readNBytes(SHORT_BYTES);
        }
        if (!Digest.of(bytes).equals(wanted)) {
            objects.verify(wanted);
            throw new RefactorException(
                    Kind.UNAVAILABLE,
                    "object " + wanted + " of " + file.path() + " was read with other bytes than it has now; the next"
                            + " attempt reads it again");
        }
        return bytes;
    }
}

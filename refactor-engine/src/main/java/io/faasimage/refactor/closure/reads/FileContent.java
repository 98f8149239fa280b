package io.faasimage.refactor.closure.reads;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The content of one file while it is parsed. A short one has the right digest, or cannot be opened; of another one it
 * finds out whether the bytes have it, if they are read from the beginning to the end. For one thread.
 */
final class FileContent {
    /** As much as comes with the answer to one question for a stored object. */
    private static final int SHORT_BYTES = 128 << 10;

    private final ImageFiles files;
    private final ImageEntry.File file;
    private final Optional<Digest> digest;
    private Optional<byte[]> whole = Optional.empty();
    private boolean verified;

    /** The content of {@code file}; without {@code hashed}, its digest is of no interest. */
    FileContent(ImageFiles files, ImageEntry.File file, boolean hashed) {
        this.files = files;
        this.file = file;
        this.digest = hashed ? file.content() : Optional.empty();
    }

    /** Whether it need not be read whole to be parsed. */
    boolean isLong() {
        return digest.isPresent() && file.size() > SHORT_BYTES;
    }

    /** Whether the bytes that were read are those of the digest. */
    boolean isVerified() {
        return verified;
    }

    /**
     * The bytes from the beginning.
     *
     * @throws RefactorException when a short content has another digest; who stores it has been told so
     */
    InputStream open() throws IOException {
        if (digest.isEmpty()) {
            return files.open(file.path());
        }
        if (isLong()) {
            return new HashedStream(files.open(file.path()), digest.get());
        }
        if (whole.isEmpty()) {
            whole = Optional.of(readWhole(digest.get()));
            verified = true;
        }
        return new ByteArrayInputStream(whole.get());
    }

    private byte[] readWhole(Digest wanted) throws IOException {
        byte[] bytes;
        try (InputStream in = files.open(file.path())) {
            bytes = in.readNBytes(SHORT_BYTES);
        }
        if (!Digest.of(bytes).equals(wanted)) {
            files.verify(wanted);
            throw new RefactorException(
                    Kind.UNAVAILABLE,
                    "object " + wanted + " of " + file.path() + " was read with other bytes than it has now; the next"
                            + " attempt reads it again");
        }
        return bytes;
    }

    /** A stream that hashes what is read; where bytes are skipped, the hash will be another one. */
    private final class HashedStream extends FilterInputStream {
        private final MessageDigest hash = Digest.newSha256();
        private final Digest wanted;
        private long left = file.size();

        HashedStream(InputStream in, Digest wanted) {
            super(in);
            this.wanted = wanted;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int n = in.read(target, offset, length);
            if (n > 0) {
                hash.update(target, offset, n);
                left -= n;
                verified |= left == 0 && Digest.ofBytes(hash.digest()).equals(wanted);
            }
            if (left < 0) {
                verified = false;
            }
            return n;
        }
    }
}

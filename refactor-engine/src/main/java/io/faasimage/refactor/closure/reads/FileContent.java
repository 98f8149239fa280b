package io.faasimage.refactor.closure.reads;

import io.faasimage.format.id.Digest;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * The content of one file while it is parsed. It finds out whether the bytes have the digest that they should: of a
 * short one always, of another one if it was read from the beginning to the end. For one thread.
 */
final class FileContent {
    /** As much as comes with the answer to one question for a stored object. */
    private static final int SHORT_BYTES = 128 << 10;

    private final Source source;
    private final long size;
    private final Optional<Digest> digest;
    private Optional<byte[]> whole = Optional.empty();
    private boolean verified;

    /** Opens the file. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws IOException;
    }

    FileContent(Source source, long size, Optional<Digest> digest) {
        this.source = source;
        this.size = size;
        this.digest = digest;
    }

    /** Whether it need not be read whole to be parsed. */
    boolean isLong() {
        return digest.isPresent() && size > SHORT_BYTES;
    }

    /** Whether the bytes that were read are those of the digest. */
    boolean isVerified() {
        return verified;
    }

    /** The bytes from the beginning. */
    InputStream open() throws IOException {
        if (digest.isEmpty()) {
            return source.open();
        }
        if (isLong()) {
            return new HashedStream(source.open(), digest.get());
        }
        if (whole.isEmpty()) {
            try (InputStream in = source.open()) {
                whole = Optional.of(in.readNBytes(SHORT_BYTES));
            }
            verified = Digest.of(whole.get()).equals(digest.get());
        }
        return new ByteArrayInputStream(whole.get());
    }

    /** A stream that hashes what is read; where bytes are skipped, the hash will be another one. */
    private final class HashedStream extends FilterInputStream {
        private final MessageDigest hash = Digest.newSha256();
        private final Digest wanted;
        private long left = size;

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
            return n;
        }
    }
}

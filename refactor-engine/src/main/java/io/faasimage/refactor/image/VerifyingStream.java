package io.faasimage.refactor.image;

import io.faasimage.format.id.Digest;
import io.faasimage.layer.ReadThroughStream;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * A stream that passes a blob on and fails at its end, or after its size, if it does not match the digest. Not
 * thread-safe.
 */
final class VerifyingStream extends ReadThroughStream {
    private final String name;
    private final Digest expected;
    private final long size;
    private final MessageDigest hash = Digest.newSha256();
    private long seen;
    private boolean verified;

    /** Verifies {@code in}, called {@code name} in messages. */
    VerifyingStream(InputStream in, String name, Digest expected, long size) {
        super(in);
        this.name = name;
        this.expected = expected;
        this.size = size;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (verified) {
            return -1;
        }
        int n = in.read(buffer, offset, length);
        if (n < 0) {
            verify();
            return -1;
        }
        seen += n;
        if (seen > size) {
            throw new RefactorException(
                    Kind.DIGEST_MISMATCH, name + " is longer than the " + size + " bytes announced");
        }
        hash.update(buffer, offset, n);
        return n;
    }

    private void verify() throws RefactorException {
        if (verified) {
            return;
        }
        if (seen != size) {
            throw new RefactorException(
                    Kind.DIGEST_MISMATCH,
                    name + " ends after " + seen + " of " + size + " bytes: push the image again");
        }
        Digest actual = Digest.ofBytes(hash.digest());
        if (!actual.equals(expected)) {
            throw new RefactorException(
                    Kind.DIGEST_MISMATCH,
                    name + " should be " + expected + " but is " + actual + ": push the image again");
        }
        verified = true;
    }
}

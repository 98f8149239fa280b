package io.faasimage.format.id;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 digest of content, in the OCI text form {@code sha256:<64 lower-case hex digits>}. Kept as four numbers: a
 * plan has tens of thousands of digests, and most are never shown.
 *
 * @param a its first eight bytes, big-endian
 * @param b the next eight
 * @param c the next eight
 * @param d the last eight
 * @see <a href="https://github.com/opencontainers/image-spec/blob/main/descriptor.md#digests">OCI digests</a>
 */
public record Digest(long a, long b, long c, long d) implements Comparable<Digest> {
    /** Length of the binary form. */
    public static final int BYTES = 32;

    private static final String PREFIX = "sha256:";
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** Of 64 lower-case hex digits, without the algorithm. */
    public Digest(String hex) {
        this(checked(hex), 0);
    }

    private Digest(byte[] bytes, int at) {
        this((long) LONG.get(bytes, at), (long) LONG.get(bytes, at + 8), (long) LONG.get(bytes, at + 16), (long)
                LONG.get(bytes, at + 24));
    }

    private static byte[] checked(String hex) {
        if (!isHex(hex)) {
            throw new IllegalArgumentException("not the hex form of a SHA-256 digest: '" + hex + "'");
        }
        return HexFormat.of().parseHex(hex);
    }

    /** Parses {@code sha256:<hex>}. */
    public static Digest parse(String text) {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("not a sha256 digest: '" + text + "'");
        }
        return new Digest(text.substring(PREFIX.length()));
    }

    /** Wraps the 32 bytes of a digest. */
    public static Digest ofBytes(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a SHA-256 digest has 32 bytes, not " + bytes.length);
        }
        return new Digest(bytes, 0);
    }

    /** Hashes {@code content}. */
    public static Digest of(byte[] content) {
        return ofBytes(newSha256().digest(content));
    }

    /** A fresh SHA-256 hasher. */
    public static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** The 32 bytes; a new array each time. */
    public byte[] bytes() {
        byte[] bytes = new byte[BYTES];
        LONG.set(bytes, 0, a);
        LONG.set(bytes, 8, b);
        LONG.set(bytes, 16, c);
        LONG.set(bytes, 24, d);
        return bytes;
    }

    /** The 64 lower-case hex digits, without the algorithm. */
    public String hex() {
        return HexFormat.of().formatHex(bytes());
    }

    /** Where an object of this digest lies in an object store, relative to it: {@code <2 hex>/<62 hex>}. */
    public String objectPath() {
        String hex = hex();
        return hex.substring(0, 2) + "/" + hex.substring(2);
    }

    private static boolean isHex(String s) {
        if (s.length() != 2 * BYTES) {
            return false;
        }
        for (int i = 0; i < s.length(); i++) {
            char c = s.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int compareTo(Digest other) {
        int compared = Long.compareUnsigned(a, other.a);
        compared = compared != 0 ? compared : Long.compareUnsigned(b, other.b);
        compared = compared != 0 ? compared : Long.compareUnsigned(c, other.c);
        return compared != 0 ? compared : Long.compareUnsigned(d, other.d);
    }

    /** The OCI text form. */
    @Override
    public String toString() {
        return PREFIX + hex();
    }
}

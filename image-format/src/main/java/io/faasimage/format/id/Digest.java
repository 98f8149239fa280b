package io.faasimage.format.id;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 digest of content, in the OCI text form {@code sha256:<64 lower-case hex digits>}.
 *
 * @param hex the 64 lower-case hex digits, without the algorithm
 * @see <a href="https://github.com/opencontainers/image-spec/blob/main/descriptor.md#digests">OCI digests</a>
 */
public record Digest(String hex) implements Comparable<Digest> {
    /** Length of the binary form. */
    public static final int BYTES = 32;

    private static final String PREFIX = "sha256:";

    /** Checks that {@code hex} is 64 lower-case hex digits. */
    public Digest {
        if (!isHex(hex)) {
            throw new IllegalArgumentException("not the hex form of a SHA-256 digest: '" + hex + "'");
        }
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
        return new Digest(HexFormat.of().formatHex(bytes));
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
        return HexFormat.of().parseHex(hex);
    }

    /** Where an object of this digest lies in an object store, relative to it: {@code <2 hex>/<62 hex>}. */
    public String objectPath() {
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
        return hex.compareTo(other.hex);
    }

    /** The OCI text form. */
    @Override
    public String toString() {
        return PREFIX + hex;
    }
}

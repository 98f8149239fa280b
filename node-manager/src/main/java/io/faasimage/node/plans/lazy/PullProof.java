package io.faasimage.node.plans.lazy;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A label by which this process informs its own snapshotter, through containerd, which manifest it pulls, and for which
 * purpose. It holds for one snapshot key and one process: containerd copies labels out of an image's annotations, so
 * the manifest's digest alone would prove nothing.
 */
public final class PullProof {
    /** The label's name. */
    public static final String LABEL = "containerd.io/snapshot/faasimage.pull";

    private static final String ALGORITHM = "HmacSHA256";
    private static final SecretKeySpec SECRET = new SecretKeySpec(SecureRandom.getSeed(32), ALGORITHM);

    private PullProof() {}

    /** The purposes for which an image is put into containerd. */
    public enum Purpose {
        /** A start, which reads its objects. */
        START,
        /** The catalogue: its objects stay away until a start. */
        CATALOGUE
    }

    /**
     * The content of a verified label.
     *
     * @param manifest of the image
     * @param purpose of putting it into containerd
     */
    public record Proven(Digest manifest, Purpose purpose) {}

    /**
     * The label's value.
     *
     * @param key of the snapshot, as the client of containerd gives it
     */
    public static String of(Digest manifest, Purpose purpose, String key) {
        String claim = manifest + " " + purpose;
        return claim + " " + mac(claim, key);
    }

    /** The proof in {@code value} for a snapshot key; empty when it proves nothing. */
    public static Optional<Proven> proven(String value, String key) {
        String[] words = value.split(" ", -1);
        if (words.length != 3) {
            return Optional.empty();
        }
        try {
            Proven proven = new Proven(Digest.parse(words[0]), Purpose.valueOf(words[1]));
            byte[] given = words[2].getBytes(StandardCharsets.UTF_8);
            byte[] right = mac(words[0] + " " + words[1], key).getBytes(StandardCharsets.UTF_8);
            return MessageDigest.isEqual(right, given) ? Optional.of(proven) : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String mac(String claim, String key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(SECRET);
            return HexFormat.of().formatHex(mac.doFinal((claim + " " + key).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}

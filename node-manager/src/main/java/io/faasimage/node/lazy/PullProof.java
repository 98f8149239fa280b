package io.faasimage.node.lazy;

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
 * A label by which this process says to its own snapshotter, through containerd, which manifest it pulls. It holds for
 * one snapshot key and one process: containerd copies labels out of an image's annotations, so the manifest's digest
 * alone would prove nothing.
 */
public final class PullProof {
    /** The label's name. */
    public static final String LABEL = "containerd.io/snapshot/faasimage.pull";

    private static final String ALGORITHM = "HmacSHA256";
    private static final SecretKeySpec SECRET = new SecretKeySpec(SecureRandom.getSeed(32), ALGORITHM);

    private PullProof() {}

    /**
     * The label's value.
     *
     * @param key of the snapshot, as the client of containerd gives it
     */
    public static String of(Digest manifest, String key) {
        return manifest + " " + mac(manifest, key);
    }

    /** The manifest that {@code value} proves for a snapshot key; empty when it proves none. */
    public static Optional<Digest> manifest(String value, String key) {
        int space = value.indexOf(' ');
        if (space < 0) {
            return Optional.empty();
        }
        try {
            Digest manifest = Digest.parse(value.substring(0, space));
            byte[] given = value.substring(space + 1).getBytes(StandardCharsets.UTF_8);
            return MessageDigest.isEqual(mac(manifest, key).getBytes(StandardCharsets.UTF_8), given)
                    ? Optional.of(manifest)
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String mac(Digest manifest, String key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(SECRET);
            return HexFormat.of().formatHex(mac.doFinal((manifest + " " + key).getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}

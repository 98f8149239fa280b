package io.faasimage.builder.secret;

import io.faasimage.builder.fault.BuildException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secrets of one build, by their ids: in memory only, and in no text that this class makes. Immutable, as long as
 * nobody changes the arrays.
 */
public final class BuildSecrets {
    /** No secrets. */
    public static final BuildSecrets NONE = new BuildSecrets(new TreeMap<>());

    /** Bytes that one secret may have. */
    public static final int MAX_BYTES = 64 << 10;

    /** Secrets that a build may have. */
    public static final int MAX_SECRETS = 16;

    private static final Pattern ID = Pattern.compile("\\.?[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String HMAC = "HmacSHA256";

    private final SortedMap<String, byte[]> contents;

    private BuildSecrets(SortedMap<String, byte[]> contents) {
        this.contents = contents;
    }

    /** The secrets of a user's build; what is wrong with one is said without its content. */
    public static BuildSecrets of(Map<String, byte[]> contents) throws BuildException {
        if (contents.size() > MAX_SECRETS) {
            throw BuildException.badRequest("a build has at most " + MAX_SECRETS + " secrets");
        }
        for (Map.Entry<String, byte[]> secret : contents.entrySet()) {
            if (!ID.matcher(secret.getKey()).matches()) {
                throw BuildException.badRequest("the id of a secret has at most 100 letters, digits, '.', '_' and '-',"
                        + " such as npmrc or pip.conf");
            }
            if (secret.getValue().length == 0 || secret.getValue().length > MAX_BYTES) {
                throw BuildException.badRequest(
                        "the secret '" + secret.getKey() + "' is empty or has more than " + MAX_BYTES + " bytes");
            }
        }
        return new BuildSecrets(new TreeMap<>(contents));
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return contents.isEmpty();
    }

    /** The ids, in order. */
    public List<String> ids() {
        return List.copyOf(contents.keySet());
    }

    /** The contents by id, in order. */
    public SortedMap<String, byte[]> contents() {
        return new TreeMap<>(contents);
    }

    /** What must be in no output and no layer: whole secrets, and the passwords that are recognised in them. */
    public List<byte[]> values() {
        List<byte[]> all = new ArrayList<>();
        contents.values().forEach(content -> all.addAll(SecretValues.in(content)));
        all.sort(Comparator.comparingInt((byte[] value) -> value.length).reversed());
        return all;
    }

    /** A digest that is of no use to guess the secrets without {@code key}. */
    public String digest(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            contents.forEach((id, content) -> {
                mac.update((id + "\0" + content.length + "\0").getBytes(StandardCharsets.UTF_8));
                mac.update(content);
            });
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException(HMAC + " is missing in this Java", e);
        }
    }

    /** The ids alone. */
    @Override
    public String toString() {
        return "secrets " + contents.keySet();
    }
}

package io.faasimage.registry.access.identity;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a token of the table, {@code fsi_<id>_<secret>}: the ID finds its row, and the row has the SHA-256 of the
 * secret.
 *
 * @param id 16 hex digits
 * @param secret 64 hex digits
 */
record TokenText(String id, String secret) {
    private static final Pattern FORM = Pattern.compile("fsi_([0-9a-f]{16})_([0-9a-f]{64})");
    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** The parts of a token's text; empty when it has another form, as the tokens of the settings have. */
    static Optional<TokenText> parse(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches() ? Optional.of(new TokenText(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    static TokenText create() {
        return new TokenText(newId(), random(SECRET_BYTES));
    }

    static String newId() {
        return random(ID_BYTES);
    }

    private static String random(int bytes) {
        byte[] made = new byte[bytes];
        RANDOM.nextBytes(made);
        return HexFormat.of().formatHex(made);
    }

    Digest hash() {
        return Digest.of(secret.getBytes(StandardCharsets.US_ASCII));
    }

    String text() {
        return "fsi_" + id + "_" + secret;
    }

    /** The secret stays out of logs. */
    @Override
    public String toString() {
        return "fsi_" + id;
    }
}

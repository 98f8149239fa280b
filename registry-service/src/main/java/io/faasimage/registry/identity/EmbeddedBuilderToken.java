package io.faasimage.registry.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The token of the builder that this process starts. It is nowhere but in the two processes. Immutable. */
@Component
public class EmbeddedBuilderToken {
    private static final int BYTES = 32;

    private final String text;

    EmbeddedBuilderToken() {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        this.text = HexFormat.of().formatHex(secret);
    }

    /** The token, for the builder. */
    public String text() {
        return text;
    }

    /** Whose the presented token is, when it is this one. */
    Optional<Identity> find(String presented) {
        return MessageDigest.isEqual(text.getBytes(StandardCharsets.UTF_8), presented.getBytes(StandardCharsets.UTF_8))
                ? Optional.of(Identity.EMBEDDED_BUILDER)
                : Optional.empty();
    }
}

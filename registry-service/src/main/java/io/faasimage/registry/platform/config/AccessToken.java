package io.faasimage.registry.platform.config;

import io.faasimage.format.file.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The bearer token of the API, and the one of viewers when there is one. Thread-safe. */
public final class AccessToken {
    private static final int GENERATED_BYTES = 24;
    private static final int SHORTEST = 16;
    private static final int FEWEST_DIFFERENT = 6;

    /** Of 16 different ones, such as hexadecimal digits, these are 128 bits. */
    private static final int UNGUESSABLE = 32;

    private final byte[] token;
    private final byte @Nullable [] viewer;

    private AccessToken(String token, @Nullable String viewer) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.viewer = viewer == null ? null : viewer.getBytes(StandardCharsets.UTF_8);
    }

    /** The token that the operator set; else the one in the data directory, made now when there is none. */
    public static AccessToken of(@Nullable String configured, @Nullable String viewer, DataDirectory data) {
        if (configured != null && !configured.isBlank()) {
            return new AccessToken(strong(configured.strip(), "the token of --faasimage.token"), viewer);
        }
        try {
            if (!Files.exists(data.token())) {
                generate(data.token());
            }
            String stored = Files.readString(data.token()).strip();
            if (stored.isEmpty()) {
                throw new StartFailure("token file " + data.token()
                        + " is empty; remove it to have a new one generated, or set --faasimage.token");
            }
            return new AccessToken(strong(stored, "the token in " + data.token()), viewer);
        } catch (IOException e) {
            throw new StartFailure("token file " + data.token() + " cannot be used: " + e, e);
        }
    }

    /** A holder of the token may do everything, so one that can be guessed ends the start. */
    private static String strong(String token, String what) {
        if (token.length() < SHORTEST
                || token.chars().distinct().count() < FEWEST_DIFFERENT
                || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw new StartFailure(what + " could be guessed or cannot be sent: it must have " + SHORTEST
                    + " visible ASCII characters or more, " + FEWEST_DIFFERENT
                    + " of them different; 'openssl rand -hex 24' makes one");
        }
        return token;
    }

    private static void generate(Path file) throws IOException {
        byte[] secret = new byte[GENERATED_BYTES];
        new SecureRandom().nextBytes(secret);
        byte[] text = (HexFormat.of().formatHex(secret) + "\n").getBytes(StandardCharsets.US_ASCII);
        AtomicFile.publishSynced(
                file,
                out -> out.write(text),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }

    /** The role of a client with this token; takes the same time wherever it differs from ours. */
    public Optional<Role> role(String presented) {
        byte[] bytes = presented.getBytes(StandardCharsets.UTF_8);
        boolean admin = MessageDigest.isEqual(token, bytes);
        boolean views = viewer != null && MessageDigest.isEqual(viewer, bytes);
        if (admin) {
            return Optional.of(Role.ADMIN);
        }
        return views ? Optional.of(Role.VIEWER) : Optional.empty();
    }

    /**
     * Whether a token of the settings is too long to be guessed by trying, as the generated one is. The length is no
     * proof for a chosen one, but who chooses 32 characters means it.
     */
    public boolean isUnguessable(String presented) {
        return presented.length() >= UNGUESSABLE;
    }

    /** A key for one purpose that changes when the token of the role does; empty when the role has no token. */
    public Optional<byte[]> key(Role role, String purpose) {
        byte[] secret = switch (role) {
            case ADMIN -> token;
            case VIEWER -> viewer;
        };
        if (secret == null) {
            return Optional.empty();
        }
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return Optional.of(mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has HmacSHA256", e);
        }
    }
}

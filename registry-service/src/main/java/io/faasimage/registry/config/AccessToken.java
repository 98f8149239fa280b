package io.faasimage.registry.config;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The bearer token of the API. Thread-safe. */
public final class AccessToken {
    private static final int GENERATED_BYTES = 24;

    private final byte[] token;

    private AccessToken(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /** The token that the operator set; else the one in the data directory, made now when there is none. */
    public static AccessToken of(@Nullable String configured, DataDirectory data) {
        if (configured != null && !configured.isBlank()) {
            return new AccessToken(configured.strip());
        }
        try {
            if (!Files.exists(data.token())) {
                generate(data.token());
            }
            String stored = Files.readString(data.token()).strip();
            if (stored.isEmpty()) {
                throw new StartFailure("token file " + data.token()
                        + " is empty; remove it so that a new one is made, or set --faasimage.token");
            }
            return new AccessToken(stored);
        } catch (IOException e) {
            throw new StartFailure("token file " + data.token() + " cannot be used: " + e, e);
        }
    }

    private static void generate(Path file) throws IOException {
        byte[] secret = new byte[GENERATED_BYTES];
        new SecureRandom().nextBytes(secret);
        Path temp = file.resolveSibling("token.new");
        Files.deleteIfExists(temp);
        Files.createFile(temp, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temp, HexFormat.of().formatHex(secret) + "\n");
        try (FileChannel channel = FileChannel.open(temp, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(temp, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Whether {@code presented} is the token; takes the same time wherever they differ. */
    public boolean matches(String presented) {
        return MessageDigest.isEqual(token, presented.getBytes(StandardCharsets.UTF_8));
    }
}

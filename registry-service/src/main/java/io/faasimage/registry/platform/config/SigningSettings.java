package io.faasimage.registry.platform.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The settings of the signatures of plans.
 *
 * @param key PEM file with the Ed25519 private key (PKCS #8, not encrypted) that signs plans; when absent, a service
 *     with the embedded database makes one in {@code <data>/plan-key.pem}, and one with PostgreSQL signs nothing
 * @param command instead of {@code key}: a command, split at spaces, that reads the data to be signed from its standard
 *     input and prints the Ed25519 signature in Base64
 * @param publicKey PEM file with the public key of {@code command}
 * @param earlierKeys PEM file with public keys that signed before: their statements are signed again with the present
 *     key
 */
@ConfigurationProperties("faasimage.signing")
public record SigningSettings(
        @Nullable Path key,
        @Nullable String command,
        @Nullable Path publicKey,
        @Nullable Path earlierKeys) {
    /** Checks that they fit together. */
    public SigningSettings {
        if (key != null && command != null) {
            throw new IllegalArgumentException(
                    "faasimage.signing.key and faasimage.signing.command exclude each other");
        }
        if ((command == null) != (publicKey == null)) {
            throw new IllegalArgumentException(
                    "faasimage.signing.command and faasimage.signing.public-key need each other");
        }
    }
}

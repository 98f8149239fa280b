package io.faasimage.node.image;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Credentials for an OCI registry. Its text form hides the secret. */
sealed interface RegistryLogin {
    /**
     * A user and a password or token.
     *
     * @param user without a colon
     * @param secret never logged
     */
    record Password(String user, String secret) implements RegistryLogin {
        /** The value of an {@code Authorization} header. */
        String basic() {
            String pair = user + ":" + secret;
            return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String toString() {
            return user + ":***";
        }
    }

    /**
     * A refresh token of OAuth 2, from which the registry's token server makes short-lived ones.
     *
     * @param token never logged
     */
    record IdentityToken(String token) implements RegistryLogin {
        @Override
        public String toString() {
            return "identity token ***";
        }
    }
}

package io.faasimage.oci;

import io.faasimage.format.id.ImageReference;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** A source of logins at image registries. Thread-safe. */
@FunctionalInterface
public interface RegistryLogins {
    /**
     * A login, in the form of Docker's credential helpers.
     *
     * @param user not empty; {@code <token>} when the password is an identity token
     * @param password never logged; or a refresh token of OAuth 2, from which a token service makes short-lived ones
     */
    record Login(String user, String password) {
        static Login ofIdentityToken(String token) {
            return new Login("<token>", token);
        }

        boolean isIdentityToken() {
            return user.equals("<token>");
        }

        /** The value of an {@code Authorization} header. */
        String basic() {
            String pair = user + ":" + password;
            return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String toString() {
            return user + ":***";
        }
    }

    /**
     * The login for the repository of {@code reference}.
     *
     * @throws IOException when it cannot be read; the message is for people and has no secret
     */
    Optional<Login> find(ImageReference reference) throws IOException;
}

package io.faasimage.refactor.image;

import io.faasimage.format.id.ImageReference;
import java.util.Optional;

/** A source of logins at image registries. Thread-safe. */
@FunctionalInterface
public interface RegistryLogins {
    /** None. */
    RegistryLogins NONE = reference -> Optional.empty();

    /**
     * A user name and password.
     *
     * @param user not empty
     * @param password never logged
     */
    record Login(String user, String password) {
        @Override
        public String toString() {
            return user + ":***";
        }
    }

    /** The login for the repository of {@code reference}; called by the thread that opens the image. */
    Optional<Login> find(ImageReference reference);
}

package io.faasimage.registry.login;

import io.faasimage.registry.config.DataDirectory;
import io.faasimage.registry.config.LoginSettings;
import io.faasimage.registry.config.StartFailure;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.stereotype.Component;

/**
 * The key of this service that encrypts passwords: of the settings; with the embedded database, one in the data
 * directory that the first login makes. Thread-safe.
 */
@Component
class LoginKeys {
    private static final Logger LOG = LoggerFactory.getLogger(LoginKeys.class);

    private final Optional<Path> made;
    private @Nullable LoginKey key;

    LoginKeys(LoginSettings settings, DataDirectory data, DataSourceProperties database) {
        boolean embedded = database.determineUrl().startsWith("jdbc:h2:");
        this.made = embedded ? Optional.of(data.loginKey()) : Optional.empty();
        Path file = settings.key();
        if (file != null) {
            try {
                key = LoginKey.read(file);
            } catch (IOException e) {
                throw new StartFailure("--faasimage.registry-logins.key cannot be used: " + e.getMessage(), e);
            }
        }
    }

    /** The key; makes one when there is none and no other service shares the database. */
    synchronized LoginKey forWriting() {
        try {
            if (key == null) {
                key = LoginKey.readOrMake(made.orElseThrow(() -> new ProblemException(
                        ProblemKind.CONFLICT,
                        "this service has no key that encrypts logins: several services can share its database, so"
                                + " --faasimage.registry-logins.key must name the file of one for all of them")));
            }
            return key;
        } catch (IOException e) {
            throw new ProblemException(ProblemKind.STORAGE, "the key of logins cannot be used: " + e.getMessage(), e);
        }
    }

    /** A password that was encrypted earlier; empty, and the log says so, when it cannot be read. */
    Optional<String> decrypted(String secret, String purpose, String repository) {
        try {
            return Optional.of(forReading().decrypt(secret, purpose));
        } catch (IOException e) {
            LOG.error(
                    "the login for {} cannot be used, continuing without; give it again: {}",
                    repository,
                    e.getMessage());
            return Optional.empty();
        }
    }

    /** The key that earlier logins were encrypted with. */
    private synchronized LoginKey forReading() throws IOException {
        if (key == null) {
            key = LoginKey.read(made.orElseThrow(
                    () -> new IOException("--faasimage.registry-logins.key does not name the key's file")));
        }
        return key;
    }
}

package io.faasimage.registry.store.signing;

import io.faasimage.format.statement.KeyFile;
import io.faasimage.format.statement.Signer;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.registry.platform.config.DataDirectory;
import io.faasimage.registry.platform.config.SigningSettings;
import io.faasimage.registry.platform.config.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The key of this service, as the settings say; with the embedded database, one that the first start makes. */
@Configuration(proxyBeanMethods = false)
class SigningConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(SigningConfiguration.class);
    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(30);

    @Bean
    Signing signing(SigningSettings settings, DataDirectory data, DataSourceProperties database) {
        try {
            Optional<Signer> signer = signer(settings, data, isEmbedded(database));
            if (signer.isEmpty()) {
                LOG.info("plans are not signed: several services can share this database, and --faasimage.signing.key"
                        + " names no key for them");
                return Signing.OFF;
            }
            Signing signing = Signing.with(signer.get(), earlier(settings.earlierKeys()));
            LOG.info("plans are signed with key {}", signing.key().orElseThrow());
            return signing;
        } catch (IOException e) {
            throw new StartFailure("--faasimage.signing.* cannot be used: " + e.getMessage(), e);
        }
    }

    private static boolean isEmbedded(DataSourceProperties database) {
        return database.determineUrl().startsWith("jdbc:h2:");
    }

    private static Optional<Signer> signer(SigningSettings settings, DataDirectory data, boolean embedded)
            throws IOException {
        @Nullable Path key = settings.key();
        @Nullable String command = settings.command();
        @Nullable Path publicKey = settings.publicKey();
        if (key != null) {
            return Optional.of(KeyFile.read(key));
        }
        if (command != null && publicKey != null) {
            return Optional.of(
                    new KeyCommand(List.of(command.strip().split("\\s+")), single(publicKey), COMMAND_LIMIT));
        }
        return embedded ? Optional.of(made(data)) : Optional.empty();
    }

    private static VerifyingKeys single(Path file) throws IOException {
        VerifyingKeys keys = VerifyingKeys.read(List.of(file));
        if (keys.ids().size() != 1) {
            throw new IOException(
                    file + " must have one public key, not " + keys.ids().size());
        }
        return keys;
    }

    private static Signer made(DataDirectory data) throws IOException {
        if (!Files.exists(data.planKey())) {
            KeyFile.generate(data.planKey(), data.planPublicKey());
        }
        return KeyFile.read(data.planKey());
    }

    private static Optional<VerifyingKeys> earlier(@Nullable Path file) throws IOException {
        return file == null ? Optional.empty() : Optional.of(VerifyingKeys.read(List.of(file)));
    }
}

package io.faasimage.refactor.image;

import io.faasimage.refactor.host.HostRules;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The options of a source.
 *
 * @param rules which registries may be read, at which addresses, and which of them without TLS
 * @param dockerConfig Docker's configuration file with credentials; empty for {@code ~/.docker/config.json}
 * @param credential user name and password that go before Docker's configuration
 * @param budget what an image may cost
 * @param attempts how often a request is tried, at least 1
 */
public record SourceOptions(
        HostRules rules,
        Optional<Path> dockerConfig,
        Optional<UserPassword> credential,
        ImageBudget budget,
        int attempts) {
    /**
     * A user name and password.
     *
     * @param user not empty
     * @param password never logged
     */
    public record UserPassword(String user, String password) {
        @Override
        public String toString() {
            return user + ":***";
        }
    }

    /** Checks the limits. */
    public SourceOptions {
        if (attempts < 1) {
            throw new IllegalArgumentException("source options out of range");
        }
    }

    /** HTTPS except to loopback addresses, Docker's own configuration, the usual budget, 3 attempts. */
    public static SourceOptions defaults() {
        return new SourceOptions(HostRules.OPEN, Optional.empty(), Optional.empty(), ImageBudget.DEFAULT, 3);
    }

    /** These options with {@code rules} set to a value. */
    public SourceOptions withRules(HostRules value) {
        return new SourceOptions(value, dockerConfig, credential, budget, attempts);
    }

    /** These options with {@code dockerConfig} set to a value. */
    public SourceOptions withDockerConfig(Optional<Path> value) {
        return new SourceOptions(rules, value, credential, budget, attempts);
    }

    /** These options with {@code budget} set to a value. */
    public SourceOptions withBudget(ImageBudget value) {
        return new SourceOptions(rules, dockerConfig, credential, value, attempts);
    }
}

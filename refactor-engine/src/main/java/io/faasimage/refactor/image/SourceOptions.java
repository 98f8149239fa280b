package io.faasimage.refactor.image;

import io.faasimage.refactor.host.HostRules;

/**
 * The options of a source.
 *
 * @param rules which registries may be read, at which addresses, and which of them without TLS
 * @param logins how the service logs in
 * @param budget of an image
 * @param attempts how often a request is tried, at least 1
 */
public record SourceOptions(HostRules rules, RegistryLogins logins, ImageBudget budget, int attempts) {
    /** Checks the limits. */
    public SourceOptions {
        if (attempts < 1) {
            throw new IllegalArgumentException("source options out of range");
        }
    }

    /** HTTPS except to loopback addresses, logins of Docker's own configuration, the usual budget, 3 attempts. */
    public static SourceOptions defaults() {
        return new SourceOptions(HostRules.OPEN, DockerLogins.ofUser(), ImageBudget.DEFAULT, 3);
    }

    /** These options with {@code rules} set to a value. */
    public SourceOptions withRules(HostRules value) {
        return new SourceOptions(value, logins, budget, attempts);
    }

    /** These options with {@code budget} set to a value. */
    public SourceOptions withBudget(ImageBudget value) {
        return new SourceOptions(rules, logins, value, attempts);
    }

    /** These options with {@code logins} set to a value. */
    public SourceOptions withLogins(RegistryLogins value) {
        return new SourceOptions(rules, value, budget, attempts);
    }
}

package io.faasimage.refactor.image;

import io.faasimage.api.client.MinimumRate;
import io.faasimage.oci.DockerLogins;
import io.faasimage.oci.HostRules;
import io.faasimage.oci.Mirrors;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.RegistryLogins;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of a source.
 *
 * @param rules which registries may be read, at which addresses, and which of them without TLS
 * @param logins how the service logs in
 * @param budget of an image
 * @param attempts how often a request is tried, at least 1
 */
public record SourceOptions(HostRules rules, RegistryLogins logins, ImageBudget budget, int attempts) {
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final Duration PACE = Duration.ofSeconds(30);

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

    /** The same for the client of registries. */
    public OciRegistry.Options registry() {
        MinimumRate rate = new MinimumRate(budget.bytesPerSecond(), PACE);
        return new OciRegistry.Options(rules, logins, Optional.empty(), ANSWER, ANSWER, rate, attempts, Mirrors.NONE);
    }

    /** These options with {@code rules} set to a value. */
    public SourceOptions withRules(HostRules value) {
        return new SourceOptions(value, logins, budget, attempts);
    }

    /** These options with {@code budget} set to a value. */
    public SourceOptions withBudget(ImageBudget value) {
        return new SourceOptions(rules, logins, value, attempts);
    }
}

package io.faasimage.refactor.image;

import io.faasimage.api.client.MinimumRate;
import io.faasimage.oci.DockerLogins;
import io.faasimage.oci.HostPolicy;
import io.faasimage.oci.HostRules;
import io.faasimage.oci.Mirrors;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.RegistryLogins;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The options of a source.
 *
 * @param rules which registries may be read, at which addresses, and which of them without TLS
 * @param tls the authorities that TLS trusts; the JVM's own when empty
 * @param logins how the service logs in
 * @param budget of an image
 * @param attempts how often a request is tried, at least 1
 */
public record SourceOptions(
        HostPolicy rules, Optional<SSLContext> tls, RegistryLogins logins, ImageBudget budget, int attempts) {

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
        return new SourceOptions(HostRules.OPEN, Optional.empty(), DockerLogins.ofUser(), ImageBudget.DEFAULT, 3);
    }

    /** The same for the client of registries. */
    public OciRegistry.Options registry() {
        MinimumRate rate = new MinimumRate(budget.bytesPerSecond(), PACE);
        return new OciRegistry.Options(rules, logins, tls, ANSWER, ANSWER, rate, attempts, Mirrors.NONE);
    }

    /** These options with {@code rules} set to a value. */
    public SourceOptions withRules(HostPolicy value) {
        return new SourceOptions(value, tls, logins, budget, attempts);
    }

    /** These options with {@code tls} set to a value. */
    public SourceOptions withTls(Optional<SSLContext> value) {
        return new SourceOptions(rules, value, logins, budget, attempts);
    }

    /** These options with {@code budget} set to a value. */
    public SourceOptions withBudget(ImageBudget value) {
        return new SourceOptions(rules, tls, logins, value, attempts);
    }
}

package io.faasimage.registry.platform.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of tokens.
 *
 * @param nodeLife how long the identity of an enrolled node is valid; the node renews it when half of that has passed,
 *     so a node that was off for longer must be enrolled again
 * @param clientCa PEM file of the authority whose certificates take the place of tokens when clients present them; none
 *     do when it is absent
 */
@ConfigurationProperties("faasimage.tokens")
public record TokenSettings(
        @DefaultValue("30d") Duration nodeLife, @Nullable Path clientCa) {
    /** Checks the limits. */
    public TokenSettings {
        if (nodeLife.toSeconds() < 1 || nodeLife.toDays() > 3650) {
            throw new IllegalArgumentException("faasimage.tokens.node-life must be 1s to 3650d");
        }
    }
}

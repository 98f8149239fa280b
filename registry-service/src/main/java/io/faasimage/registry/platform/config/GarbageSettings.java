package io.faasimage.registry.platform.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of garbage collection, as {@code --faasimage.garbage.<name>=<value>}.
 *
 * @param keep how long packs and metadata images stay after the last plan that needs them, an hour at least: as long as
 *     a node may run containers of an image after its deletion here
 * @param interval pause between two searches for garbage
 */
@ConfigurationProperties("faasimage.garbage")
public record GarbageSettings(
        @DefaultValue("30d") Duration keep,
        @DefaultValue("6h") Duration interval) {
    /** A stored blob gets its row a moment later, and must not be taken for garbage meanwhile. */
    private static final Duration LEAST = Duration.ofHours(1);

    /** Checks the limits. */
    public GarbageSettings {
        if (keep.compareTo(LEAST) < 0 || !interval.isPositive()) {
            throw new IllegalArgumentException(
                    "faasimage.garbage.keep must be an hour at least, and faasimage.garbage.interval must be positive");
        }
    }
}

package io.faasimage.registry.platform.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings that divide the database's connections between requests that starts wait for and everything else.
 *
 * @param backgroundConnections connections of reports, pages, registrations and jobs; requests that starts wait for
 *     have others to themselves
 * @param backgroundWait how long these wait for a connection before they are answered with 429
 * @param uncounted most starts whose misses wait to be counted; more are answered with 429
 */
@ConfigurationProperties("faasimage.database")
public record DatabaseSettings(
        @DefaultValue("8") int backgroundConnections,
        @DefaultValue("5s") Duration backgroundWait,
        @DefaultValue("20000") int uncounted) {
    /** Checks the limits. */
    public DatabaseSettings {
        if (backgroundConnections < 2 || uncounted < 1) {
            throw new IllegalArgumentException(
                    "faasimage.database.background-connections must be 2 or more, faasimage.database.uncounted positive");
        }
        if (backgroundWait.toMillis() < 250) {
            throw new IllegalArgumentException("faasimage.database.background-wait must be 250 ms or more");
        }
    }
}

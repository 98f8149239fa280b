package io.faasimage.registry.platform.config;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of how long reports of nodes are kept.
 *
 * @param starts most starts that are kept
 * @param startsFor how long starts are kept
 * @param events most events that are kept
 * @param nodeAlive longest time since the last report of a node that counts as alive
 * @param nodesFor how long a node is listed that is not heard any more
 * @param followers most clients that follow events at the same time
 * @param auditFor for how long records of the audit log are kept
 * @param ageing pause between two removals of old history
 */
@ConfigurationProperties("faasimage.history")
public record HistorySettings(
        @DefaultValue("7d") Duration startsFor,
        @DefaultValue("200000") int starts,
        @DefaultValue("20000") int events,
        @DefaultValue("100s") Duration nodeAlive,
        @DefaultValue("30d") Duration nodesFor,
        @DefaultValue("64") int followers,
        @DefaultValue("400d") Duration auditFor,
        @DefaultValue("10m") Duration ageing) {
    /** Checks the limits. */
    public HistorySettings {
        if (starts < 1
                || events < 1
                || followers < 1
                || !startsFor.isPositive()
                || !nodeAlive.isPositive()
                || !nodesFor.isPositive()
                || !auditFor.isPositive()
                || !ageing.isPositive()) {
            throw new IllegalArgumentException("the limits of faasimage.history.* must be positive");
        }
    }
}

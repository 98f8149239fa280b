package io.faasimage.docker.container;

import java.time.Instant;
import java.util.Optional;

/**
 * What is known of a container.
 *
 * @param id its ID
 * @param name its name
 * @param image full name of its image
 * @param address in the network {@code bridge}; empty when it has none
 * @param created when
 * @param state what its process does
 */
public record ContainerInfo(
        String id, String name, String image, Optional<String> address, Instant created, State state) {
    /** What a container's process does. */
    public enum State {
        /** It has not been started. */
        CREATED,
        /** It runs. */
        RUNNING,
        /** It is stopped where it is. */
        PAUSED,
        /** It has ended. */
        EXITED;

        /** As Docker writes it. */
        public String word() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        /** Whether there is a process. */
        public boolean isAlive() {
            return this == RUNNING || this == PAUSED;
        }
    }
}

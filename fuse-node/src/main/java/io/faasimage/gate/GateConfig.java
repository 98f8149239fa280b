package io.faasimage.gate;

import io.faasimage.gate.fetch.FetchLimits;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a gate is told at its start.
 *
 * @param store root of the object store
 * @param mount where to mount
 * @param registry address of registry-service
 * @param token its bearer token, when it has one
 * @param control path of the control socket
 * @param limits of fetching
 */
public record GateConfig(
        Path store, Path mount, URI registry, Optional<String> token, Path control, FetchLimits limits) {
    /** The token stays out of logs. */
    @Override
    public String toString() {
        return "gate at " + mount + " over " + store + ", registry " + registry;
    }
}

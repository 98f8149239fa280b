package io.faasimage.gate;

import io.faasimage.gate.fetch.FetchLimits;
import io.faasimage.gate.fetch.RegistryToken;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a gate is told at its start.
 *
 * @param store root of the object store
 * @param fast directory of its fast tier
 * @param mount where to mount
 * @param images where to mount the root file systems of images; empty when nobody needs them
 * @param registry address of registry-service
 * @param token its bearer token
 * @param control path of the control socket
 * @param agent socket of the node agent's object service; without, the gate fetches by itself
 * @param limits of fetching
 */
public record GateConfig(
        Path store,
        Optional<Path> fast,
        Path mount,
        Optional<Path> images,
        URI registry,
        RegistryToken token,
        Path control,
        Optional<Path> agent,
        FetchLimits limits) {
    /** The token stays out of logs. */
    @Override
    public String toString() {
        return "gate at " + mount + images.map(path -> ", images at " + path).orElse("") + " over " + store
                + ", registry " + registry;
    }
}

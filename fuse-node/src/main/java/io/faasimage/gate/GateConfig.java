package io.faasimage.gate;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TransportOptions;
import io.faasimage.gate.fetch.FetchLimits;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The settings of a gate.
 *
 * @param store root of the object store
 * @param mount where to mount
 * @param connection of a dead gate, which this one continues with; empty when the gate is to be mounted
 * @param images where to mount the root file systems of images; empty when they are not needed
 * @param registry addresses of registry-service
 * @param transport how to reach them
 * @param token its bearer token
 * @param control path of the control socket
 * @param agent socket of the node agent's object service; without, the gate fetches by itself
 * @param limits of fetching
 */
public record GateConfig(
        Path store,
        Path mount,
        Optional<Connection> connection,
        Optional<Path> images,
        List<URI> registry,
        TransportOptions transport,
        Supplier<Optional<String>> token,
        Path control,
        Optional<Path> agent,
        FetchLimits limits) {
    public GateConfig {
        registry = List.copyOf(registry);
    }

    /**
     * A descriptor of {@code /dev/fuse} in another process.
     *
     * @param pid the process
     * @param descriptor its number there
     */
    public record Connection(long pid, int descriptor) {
        /** Reads {@code PID:FD}. */
        static Connection parse(String text) {
            String[] parts = text.split(":", -1);
            try {
                if (parts.length == 2) {
                    return new Connection(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("--connection is not PID:FD: '" + text + "'", e);
            }
            throw new IllegalArgumentException("--connection is not PID:FD: '" + text + "'");
        }
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return "gate at " + mount + images.map(path -> ", images at " + path).orElse("") + " over " + store
                + ", registry " + ServiceConfig.format(registry);
    }
}

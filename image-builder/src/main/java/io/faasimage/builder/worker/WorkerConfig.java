package io.faasimage.builder.worker;

import io.faasimage.api.client.TransportOptions;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The configuration of a builder's process.
 *
 * @param services addresses of registry-service
 * @param token asked at every request for the bearer token
 * @param transport whom to trust there, and what to present
 * @param supervised whether the end of the standard input ends the process
 * @param data directory of builds
 * @param name in the service's log
 * @param runc the command that containers are run with
 * @param watchdog of-watchdog's program, put into each image when given
 * @param registryCa PEM file with certificate authorities of image registries
 */
record WorkerConfig(
        List<URI> services,
        Supplier<Optional<String>> token,
        TransportOptions transport,
        boolean supervised,
        Path data,
        String name,
        String runc,
        Optional<Path> watchdog,
        Optional<Path> registryCa) {
    /** Copies the list. */
    WorkerConfig {
        services = List.copyOf(services);
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return "builder " + name + " of " + services + " in " + data;
    }
}

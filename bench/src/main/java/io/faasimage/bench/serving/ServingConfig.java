package io.faasimage.bench.serving;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * The configuration of the serving benchmark.
 *
 * @param service registry-service, on this machine and with local images allowed
 * @param tokenFile the service's token
 * @param fileServer the HTTP server to compare with
 * @param fileDirectory directory that it serves
 * @param imageDirectory directory in which images are made
 * @param bundles to serve
 * @param connections how many downloads at a time, one after the other
 * @param rounds measured ones of each server, in turn; one more before them is not counted
 * @param roundBytes at least so many are downloaded in a round
 * @param pulls whole pulls at the same time, at the end
 */
public record ServingConfig(
        URI service,
        Path tokenFile,
        URI fileServer,
        Path fileDirectory,
        Path imageDirectory,
        List<Contents> bundles,
        List<Integer> connections,
        int rounds,
        long roundBytes,
        int pulls) {
    /** Copies the lists and checks the numbers. */
    public ServingConfig {
        bundles = List.copyOf(bundles);
        connections = List.copyOf(connections);
        if (bundles.isEmpty() || connections.isEmpty() || rounds < 1 || roundBytes < 1 || pulls < 1) {
            throw new IllegalArgumentException("bundles, connections, rounds, roundBytes and pulls must be given");
        }
        connections.forEach(n -> {
            if (n < 1 || n > 256) {
                throw new IllegalArgumentException("connections must be 1 to 256, not " + n);
            }
        });
    }

    /**
     * The contents of one bundle. Their sizes are log-normal; their bytes are random, and do not compress.
     *
     * @param name of the bundle
     * @param objects how many
     * @param medianBytes the middle size
     * @param sigma of the sizes' natural logarithms; 0: all are the same
     */
    public record Contents(String name, int objects, int medianBytes, double sigma) {
        /** Checks the numbers. */
        public Contents {
            if (!name.matches("[a-z]{1,20}") || objects < 1 || objects > 100_000 || medianBytes < 1 || sigma < 0) {
                throw new IllegalArgumentException("no contents: " + name + ", " + objects + " objects");
            }
        }
    }
}

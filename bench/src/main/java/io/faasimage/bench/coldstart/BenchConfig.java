package io.faasimage.bench.coldstart;

import io.faasimage.bench.measure.Counter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is measured, and how.
 *
 * <p>In the commands {@code {image}}, {@code {id}} and {@code {port}} stand for the function's image, the container's
 * name and the port it must serve.
 *
 * @param runs cold starts of each function on each system, 1 to 100
 * @param warmRuns warm starts of the first function on each system, 0 to 100
 * @param port TCP port on the loopback address that every function serves
 * @param networkInterface whose received bytes count as moved
 * @param limitSeconds for one command, and for one first answer
 * @param empty makes the node empty: no image, no content, no object, no page cache
 * @param dropCaches drops the page caches
 * @param prepareWarm makes both systems hold the images without a start
 * @param functions in the order they are started after one {@code empty}; the first is also started warm
 * @param systems what is compared; the first is the baseline
 * @param fuseRequests where the count of FUSE requests is; null when it is not counted
 * @param processes pid files of the processes whose memory is reported, by name
 * @param facts about machine and images, copied into the result
 */
public record BenchConfig(
        int runs,
        int warmRuns,
        int port,
        String networkInterface,
        int limitSeconds,
        List<String> empty,
        List<String> dropCaches,
        List<String> prepareWarm,
        List<Function> functions,
        List<ContainerSystem> systems,
        @Nullable Counter fuseRequests,
        Map<String, String> processes,
        @Nullable JsonNode facts) {
    private static final int MAX_RUNS = 100;

    /** Checks the bounds and copies the collections. */
    public BenchConfig {
        if (runs < 1 || runs > MAX_RUNS || warmRuns < 0 || warmRuns > MAX_RUNS) {
            throw new IllegalArgumentException(
                    "runs must be 1 to 100 and warmRuns 0 to 100, not " + runs + " and " + warmRuns);
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port must be 1 to 65535, not " + port);
        }
        if (limitSeconds < 1 || limitSeconds > 3600) {
            throw new IllegalArgumentException("limitSeconds must be 1 to 3600, not " + limitSeconds);
        }
        if (functions.isEmpty() || systems.isEmpty()) {
            throw new IllegalArgumentException("there must be a function and a system to measure");
        }
        empty = List.copyOf(empty);
        dropCaches = List.copyOf(dropCaches);
        prepareWarm = List.copyOf(prepareWarm);
        functions = List.copyOf(functions);
        systems = List.copyOf(systems);
        processes = Map.copyOf(processes);
    }

    /**
     * A function under test.
     *
     * @param name for the table
     * @param image reference
     * @param path that must answer 200
     */
    public record Function(String name, String image, String path) {
        /** Checks the path. */
        public Function {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException(
                        "the path of function " + name + " must start with '/', not " + path);
            }
        }
    }

    /**
     * One way to get from an image to a running container.
     *
     * @param name for the table
     * @param pull command
     * @param start command that returns when the container runs
     * @param stop command that removes the container and its snapshot
     */
    public record ContainerSystem(String name, List<String> pull, List<String> start, List<String> stop) {
        /** Copies the commands. */
        public ContainerSystem {
            pull = List.copyOf(pull);
            start = List.copyOf(start);
            stop = List.copyOf(stop);
        }
    }
}

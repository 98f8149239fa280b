package io.faasimage.bench.suite;

import io.faasimage.bench.measure.ContainerStart;
import io.faasimage.bench.measure.Counter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The configuration of one run of the suite, under one condition.
 *
 * @param runs cold starts of each function on each system, 1 to 100
 * @param warmRuns warm starts after each cold one, 1 to 100
 * @param oneNode whether a system starts all functions one after the other before it is the next system's turn. The
 *     functions after the first then find the node as the ones before have left it, so the first failure ends the run.
 * @param port TCP port on the loopback address that every function serves
 * @param networkInterface whose received bytes count as moved
 * @param limitSeconds for one command, and for one first answer
 * @param settleSeconds longest wait after a first answer for bytes that are still on their way
 * @param functions in the order of the table
 * @param systems to compare; the first is the baseline
 * @param facts about machine, condition and images, copied into the result
 */
public record SuiteConfig(
        int runs,
        int warmRuns,
        boolean oneNode,
        int port,
        String networkInterface,
        int limitSeconds,
        int settleSeconds,
        List<Function> functions,
        List<ContainerSystem> systems,
        @Nullable JsonNode facts) {
    private static final int MAX_RUNS = 100;
    private static final int MAX_SECONDS = 3600;

    /** Checks the bounds and copies the collections. */
    public SuiteConfig {
        if (runs < 1 || runs > MAX_RUNS || warmRuns < 1 || warmRuns > MAX_RUNS) {
            throw new IllegalArgumentException("runs and warmRuns must be 1 to 100, not " + runs + " and " + warmRuns);
        }
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("port must be 1 to 65535, not " + port);
        }
        if (limitSeconds < 1 || limitSeconds > MAX_SECONDS || settleSeconds < 0 || settleSeconds > MAX_SECONDS) {
            throw new IllegalArgumentException("limitSeconds must be 1 to 3600 and settleSeconds 0 to 3600, not "
                    + limitSeconds + " and " + settleSeconds);
        }
        if (functions.isEmpty() || systems.isEmpty()) {
            throw new IllegalArgumentException("there must be a function and a system to measure");
        }
        functions = List.copyOf(functions);
        systems = List.copyOf(systems);
    }

    /**
     * A function under test.
     *
     * @param name for the table
     * @param node kind of node that it starts on, for {@code prepare}
     * @param image reference
     * @param path that is requested
     * @param expected text that its answer must contain; any answer when empty
     */
    public record Function(String name, String node, String image, String path, String expected) {
        /** Checks the path. */
        public Function {
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException(
                        "the path of function " + name + " must start with '/', not " + path);
            }
        }

        ContainerStart.Target target() {
            return new ContainerStart.Target(image, path, expected);
        }
    }

    /**
     * One way to get from an image to a running container. In {@code prepare}, {@code {node}} and {@code {image}} stand
     * for the function's.
     *
     * @param name for the table
     * @param prepare makes a node for the condition, with dropped page caches
     * @param pull command
     * @param start command that returns when the container runs
     * @param stop command that removes the container and its snapshot
     * @param finish stops the node; empty when it stays
     * @param onDemand counts the objects fetched on demand; null where there are none
     * @param fuseRequests counts the requests to the node's FUSE file system; null when they are not counted
     * @param disk directories whose size counts as stored
     * @param processes pid files of the processes whose CPU time and memory count, by name
     */
    public record ContainerSystem(
            String name,
            List<String> prepare,
            List<String> pull,
            List<String> start,
            List<String> stop,
            List<String> finish,
            @Nullable Counter onDemand,
            @Nullable Counter fuseRequests,
            List<String> disk,
            Map<String, String> processes) {
        public ContainerSystem {
            prepare = List.copyOf(prepare);
            pull = List.copyOf(pull);
            start = List.copyOf(start);
            stop = List.copyOf(stop);
            finish = List.copyOf(finish);
            disk = List.copyOf(disk);
            processes = Map.copyOf(processes);
        }

        ContainerStart.Steps cold() {
            return new ContainerStart.Steps(pull, start, stop);
        }

        ContainerStart.Steps warm() {
            return new ContainerStart.Steps(List.of(), start, stop);
        }
    }
}

package io.faasimage.cli.tune;

import io.faasimage.cli.command.Connections;
import io.faasimage.cli.containerd.ContainerdConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All levers, those with the least risk first.
 *
 * @param all of them
 */
public record Levers(List<Lever> all) {
    private static final List<String> PROGRAM_DIRECTORIES =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin");

    /** Copies the list. */
    public Levers {
        all = List.copyOf(all);
    }

    /** Those of this machine, with the agent at {@code connections} and the containerd of {@code config}. */
    public static Levers of(Connections connections, ContainerdConfig config) {
        return new Levers(List.of(
                new ExpeditedRcuOption(connections, Path.of("/sys")),
                new FavorDynamicModifications(),
                new CrunRuntime(config, program("crun")),
                new UnsyncedMetadata(config)));
    }

    /**
     * A lever and its state.
     *
     * @param lever one of them
     * @param state what it is on this machine; not possible when it could not be found out
     */
    public record Found(Lever lever, LeverState state) {}

    /** The state of each. */
    public List<Found> examine() {
        return all.stream().map(lever -> new Found(lever, examine(lever))).toList();
    }

    private static LeverState examine(Lever lever) {
        try {
            return lever.state();
        } catch (IOException e) {
            return new LeverState.Impossible(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    /** The lever of that name. */
    Lever get(String name) {
        return all.stream()
                .filter(lever -> lever.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no lever '" + name + "', only "
                        + all.stream().map(Lever::name).collect(Collectors.joining(", "))));
    }

    private static Optional<Path> program(String name) {
        Stream<String> path = Optional.ofNullable(System.getenv("PATH")).stream()
                .flatMap(p -> Stream.of(p.split(":", -1)))
                .filter(directory -> directory.startsWith("/"));
        return Stream.concat(path, PROGRAM_DIRECTORIES.stream())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}

package io.faasimage.docker.container;

import io.faasimage.docker.command.RunOptions.Dns;
import io.faasimage.docker.spec.ContainerPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files of containers: below the state directory what Docker keeps there, too, below the run directory the pipes.
 *
 * @param containers holds a directory for each container, named by its ID
 * @param pipes holds another one
 */
public record ContainerFiles(Path containers, Path pipes) {
    private static final Path HOST_RESOLVER = Path.of("/etc/resolv.conf");
    /** What a host has whose resolv.conf names only a resolver of its own. */
    private static final Path UPLINK_RESOLVER = Path.of("/run/systemd/resolve/resolv.conf");

    Path directory(String id) {
        return containers.resolve(id);
    }

    Path pipes(String id) {
        return pipes.resolve(id);
    }

    /** Where the root file system is for the moment in which the user is looked up. */
    Path root(String id) {
        return pipes(id).resolve("root");
    }

    /** The json-file log, where Docker has it. */
    public Path log(String id) {
        return directory(id).resolve(id + "-json.log");
    }

    /** Docker's description, of which OpenWhisk reads the address and whether memory ran out. */
    Path description(String id) {
        return directory(id).resolve("config.v2.json");
    }

    void create(String id) throws IOException {
        Files.createDirectories(directory(id));
    }

    /** Writes what the container sees of itself and of the network. */
    void write(ContainerPlace place, String address, Dns dns) throws IOException {
        Path directory = directory(place.id());
        Files.writeString(directory.resolve("hostname"), place.hostname() + "\n");
        Files.writeString(directory.resolve("hosts"), """
                127.0.0.1\tlocalhost
                ::1\tlocalhost ip6-localhost ip6-loopback
                %s\t%s
                """.formatted(address, place.hostname()));
        Files.writeString(directory.resolve("resolv.conf"), resolver(dns));
    }

    private static String resolver(Dns dns) throws IOException {
        List<String> host = reachable(HOST_RESOLVER);
        if (host.stream().noneMatch(line -> line.startsWith("nameserver"))) {
            host = reachable(UPLINK_RESOLVER);
        }
        StringBuilder text = new StringBuilder();
        host.stream()
                .filter(line -> line.startsWith("nameserver")
                        ? dns.servers().isEmpty()
                        : line.startsWith("search")
                                ? dns.search().isEmpty()
                                : line.startsWith("options") && dns.options().isEmpty())
                .forEach(line -> text.append(line).append('\n'));
        dns.servers()
                .forEach(server -> text.append("nameserver ").append(server).append('\n'));
        if (!dns.search().isEmpty()) {
            text.append("search ").append(String.join(" ", dns.search())).append('\n');
        }
        if (!dns.options().isEmpty()) {
            text.append("options ").append(String.join(" ", dns.options())).append('\n');
        }
        return text.toString();
    }

    /** A resolver's lines, without servers on the host's loopback, which a container does not reach. */
    private static List<String> reachable(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> !line.matches("nameserver\\s+(127\\.|::1).*"))
                    .limit(100)
                    .toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    void delete(String id) throws IOException {
        deleteAll(pipes(id));
        deleteAll(directory(id));
    }

    private static void deleteAll(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(directory);
    }
}

package io.faasimage.docker.daemon;

import io.faasimage.docker.network.NetworkConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the daemon's command line. */
final class Options {
    static final String USAGE = """
            usage: faasimage-docker-daemon [OPTION VALUE]...
              --root DIR             logs and files of containers (default /var/lib/faasimage-docker)
              --run DIR              sockets and pipes (default /run/faasimage)
              --containerd SOCKET    containerd (default /run/containerd/containerd.sock)
              --namespace NAME       containerd's namespace of images and containers (default openwhisk)
              --snapshotter NAME     the node agent's name in containerd's configuration (default faasimage)
              --node-socket SOCKET   the node agent's control socket (default node.sock in --run)
              --bridge NAME          interface of the network 'bridge' (default faasimage0)
              --subnet ADDRESSES     its addresses (default 10.203.0.0/16)
              --masquerade yes|no    whether containers reach other networks under the host's address (default yes;
                                     needs iptables)
              --cni-plugins DIR      CNI plugins (default: where distributions put them)""";

    private static final Set<String> NAMES = Set.of(
            "--root",
            "--run",
            "--containerd",
            "--namespace",
            "--snapshotter",
            "--node-socket",
            "--bridge",
            "--subnet",
            "--masquerade",
            "--cni-plugins");

    private final Map<String, String> values = new HashMap<>();

    private Options() {}

    /**
     * The settings that {@code arguments} describe.
     *
     * @throws IllegalArgumentException whose message is for the user
     */
    static DaemonConfig parse(List<String> arguments) {
        Options options = new Options();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("unknown option '" + name + "'\n" + USAGE);
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value\n" + USAGE);
            }
            options.values.put(name, arguments.get(i + 1));
        }
        return options.config();
    }

    private DaemonConfig config() {
        Path run = path("--run", "/run/faasimage");
        NetworkConfig network = new NetworkConfig(
                value("--bridge", "faasimage0"),
                value("--subnet", "10.203.0.0/16"),
                masquerade(),
                Optional.ofNullable(values.get("--cni-plugins")).map(Path::of),
                run.resolve("docker-networks"));
        return new DaemonConfig(
                path("--root", "/var/lib/faasimage-docker"),
                run,
                path("--containerd", "/run/containerd/containerd.sock"),
                value("--namespace", "openwhisk"),
                value("--snapshotter", "faasimage"),
                path("--node-socket", run.resolve("node.sock").toString()),
                network);
    }

    private boolean masquerade() {
        return switch (value("--masquerade", "yes")) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw new IllegalArgumentException("--masquerade is yes or no");
        };
    }

    private String value(String name, String usual) {
        return values.getOrDefault(name, usual);
    }

    private Path path(String name, String usual) {
        return Path.of(value(name, usual)).toAbsolutePath();
    }
}

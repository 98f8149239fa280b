package io.faasimage.node;

import io.faasimage.api.FillMode;
import io.faasimage.api.StartMode;
import io.faasimage.node.plan.MountChoice;
import io.faasimage.node.plan.StartupSet;
import io.faasimage.store.FastTier;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the command line. */
final class Options {
    static final String USAGE = """
            usage: faasimage-node [OPTION VALUE]...
              --registry URL            registry-service (default http://127.0.0.1:8980)
              --token-file FILE         its bearer token
              --root DIR                state (default /var/lib/faasimage)
              --run DIR                 sockets (default /run/faasimage)
              --containerd SOCKET       containerd (default /run/containerd/containerd.sock)
              --gate-command COMMAND    how the gate is started; words split at spaces (default faasimage-gate)
              --snapshotter NAME        this snapshotter's name in containerd's configuration (default faasimage)
              --plain-http HOST[:PORT]  an OCI registry without TLS; may be given several times
              --registry-ca FILE        PEM file of certificate authorities that OCI registries' certificates may be from, besides
                                        the JVM's own
              --mounts WAY              how planned images are mounted: native (by the kernel), fuse (shown by the gate)
                                        or auto (default): native where the kernel can
              --containerds N           containerds on this node, 1 to 9 (default 1); the second's socket is
                                        snapshotter-2.sock, and so on: they must not share one
              --start early|complete    start containers at once and fetch meanwhile (default), or when all they need is here;
                                        a function's own setting comes first
              --fill none|idle          leave the rest of an image where it is (default), or fetch it when no start waits
              --background-rate N       bytes per second of what no start waits for, as 500k, 20m or 1g (default: no limit)
              --startup trace|none|all  what is fetched ahead of its reads; none and all are for comparisons
              --store-budget N          bytes of objects below --root, as 500m or 20g (default: no limit); what was used least
                                        is dropped, and fetched again when it is read
              --fast-dir DIR            a mounted file system for what starts read: NVMe, persistent memory, tmpfs
              --fast-budget N           bytes of objects in it (default: as many as it takes)
              --node-name NAME          this node's name at the registry (default: the machine's)
              --heartbeat SECONDS       pause between two reports on this node to the registry (default 30)""";

    private static final Set<String> NAMES = Set.of(
            "--registry",
            "--token-file",
            "--root",
            "--run",
            "--containerd",
            "--gate-command",
            "--snapshotter",
            "--plain-http",
            "--registry-ca",
            "--mounts",
            "--containerds",
            "--start",
            "--fill",
            "--background-rate",
            "--startup",
            "--store-budget",
            "--fast-dir",
            "--fast-budget",
            "--node-name",
            "--heartbeat");

    private static final Pattern NODE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,9})([kmg]?)");
    private static final Pattern UNFIT_FOR_MOUNT_OPTIONS = Pattern.compile("[:,=\\\\\\s]");

    private final Map<String, String> values = new HashMap<>();
    private final Set<String> plainHttp = new HashSet<>();

    private Options() {}

    /**
     * The settings that {@code arguments} describe.
     *
     * @throws IllegalArgumentException whose message is for the user
     */
    static NodeConfig parse(List<String> arguments) {
        Options options = new Options();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("unknown option '" + name + "'\n" + USAGE);
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value\n" + USAGE);
            }
            options.put(name, arguments.get(i + 1));
        }
        return options.config();
    }

    private void put(String name, String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException(name + " has an empty value\n" + USAGE);
        }
        if (name.equals("--plain-http")) {
            plainHttp.add(value);
        } else if (values.put(name, value) != null) {
            throw new IllegalArgumentException(name + " is given twice\n" + USAGE);
        }
    }

    private NodeConfig config() {
        String containerds = values.getOrDefault("--containerds", "1");
        if (!containerds.matches("[1-9]")) {
            throw new IllegalArgumentException("--containerds must be 1 to 9, not '" + containerds + "'");
        }
        return new NodeConfig(
                Path.of(values.getOrDefault("--root", "/var/lib/faasimage")),
                Path.of(values.getOrDefault("--run", "/run/faasimage")),
                url(values.getOrDefault("--registry", "http://127.0.0.1:8980")),
                Optional.ofNullable(values.get("--token-file")).map(Path::of),
                Path.of(values.getOrDefault("--containerd", "/run/containerd/containerd.sock")),
                List.of(values.getOrDefault("--gate-command", "faasimage-gate")
                        .strip()
                        .split("\\s+")),
                values.getOrDefault("--snapshotter", "faasimage"),
                Integer.parseInt(containerds),
                MountChoice.parse(values.getOrDefault("--mounts", MountChoice.AUTO.label())),
                plainHttp,
                Optional.ofNullable(values.get("--registry-ca")).map(Path::of),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                StartMode.parse(values.getOrDefault("--start", "early")),
                FillMode.parse(values.getOrDefault("--fill", "none")),
                startup(values.getOrDefault("--startup", "trace")),
                bytes("--background-rate"),
                bytes("--store-budget"),
                fast(),
                50,
                nodeName(),
                heartbeat());
    }

    private Optional<String> nodeName() {
        Optional<String> name = Optional.ofNullable(values.get("--node-name"));
        if (name.filter(n -> !NODE_NAME.matcher(n).matches()).isPresent()) {
            throw new IllegalArgumentException(
                    "--node-name has 1 to 253 letters, digits, dots, hyphens or underscores, and"
                            + " begins with a letter or digit, unlike '" + name.get() + "'");
        }
        return name;
    }

    private Duration heartbeat() {
        String seconds = values.getOrDefault("--heartbeat", "30");
        if (!seconds.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException("--heartbeat must be 1 to 99999 seconds, not '" + seconds + "'");
        }
        return Duration.ofSeconds(Integer.parseInt(seconds));
    }

    private static StartupSet startup(String text) {
        return switch (text) {
            case "trace" -> StartupSet.TRACE;
            case "none" -> StartupSet.NONE;
            case "all" -> StartupSet.ALL;
            default -> throw new IllegalArgumentException("--startup must be trace, none or all, not '" + text + "'");
        };
    }

    private Optional<FastTier> fast() {
        if (!values.containsKey("--fast-dir")) {
            if (values.containsKey("--fast-budget")) {
                throw new IllegalArgumentException("--fast-budget needs --fast-dir\n" + USAGE);
            }
            return Optional.empty();
        }
        FastTier fast = new FastTier(Path.of(values.get("--fast-dir")), bytes("--fast-budget"));
        if (UNFIT_FOR_MOUNT_OPTIONS.matcher(fast.directory().toString()).find()) {
            throw new IllegalArgumentException("--fast-dir cannot be used in overlay mount options: '"
                    + fast.directory() + "'; choose one without colon, comma, backslash, equals sign or space");
        }
        return Optional.of(fast);
    }

    /** A number, with k, m or g for thousands, millions and milliards; 0 when the option is not given. */
    private long bytes(String name) {
        String text = values.getOrDefault(name, "0");
        Matcher matcher = BYTES.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    name + " must be a number of bytes (a second) such as 500k, 20m or 1g, not '" + text + "'");
        }
        long unit = switch (matcher.group(2)) {
            case "k" -> 1_000;
            case "m" -> 1_000_000;
            case "g" -> 1_000_000_000;
            default -> 1;
        };
        return Long.parseLong(matcher.group(1)) * unit;
    }

    private static URI url(String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--registry is not a URL: '" + text + "'", e);
        }
        throw new IllegalArgumentException("--registry must be http://HOST:PORT or https://..., not '" + text + "'");
    }
}

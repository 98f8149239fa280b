package io.faasimage.node;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.node.prefetch.PrefetchList;
import io.faasimage.node.rootfs.MountChoice;
import io.faasimage.node.snapshot.SnapshotSettings;
import io.faasimage.node.storage.Budgets;
import io.faasimage.store.FastTier;
import java.net.InetSocketAddress;
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
import org.jspecify.annotations.Nullable;

/** The parser of the command line. */
final class Options {
    static final String USAGE = """
            usage: faasimage-node [OPTION VALUE]...
              --registry URL[,URL]...   address of registry-service (default http://127.0.0.1:8980); several
                                        are tried in this order, one that has just failed last
              --token-file FILE         file with its bearer token; read again when it changes
              --lookup-limit SECONDS    how long a read waits for a missing file while nothing of it arrives, before
                                        it fails with an input/output error (default 30)
              --root DIR                state directory (default /var/lib/faasimage)
              --run DIR                 directory of sockets (default /run/faasimage)
              --containerd SOCKETS      containerd's socket (default /run/containerd/containerd.sock); up to 9, separated by
                                        commas. The second containerd must use snapshotter-2.sock, and so on
              --gate-command COMMAND    command that starts the gate, split at spaces (default faasimage-gate)
              --snapshotter NAME        this snapshotter's name in containerd's configuration (default faasimage)
              --plain-http HOST[:PORT]  an OCI registry without TLS; may be given several times
              --registry-ca FILE        PEM file with certificate authorities of OCI registries, in addition to the
                                        JVM's own
              --mounts WAY              how planned images are mounted: native (by the kernel), fuse (served by the gate)
                                        or auto (default): native where the kernel supports it
              --mount-options LIST      further overlayfs options of containers' writable layers, such as volatile
              --mount-label LABEL       SELinux label of planned root file systems (default: container_file_t without
                                        categories, if SELinux is on)
              --upperdir-label yes|no   whether snapshots are labelled with their upper directory (default no)
              --start early|complete    start containers at once and fetch meanwhile (default), or when their prefetch list
                                        is complete; a function's own setting overrides this
              --fill none|idle          fetch the rest of an image on demand only (default), or while no start is waiting
              --background-rate N       most bytes per second of background fetches, such as 500k, 20m or 1g (default: no limit)
              --startup trace|none|all  what is fetched before it is read (default trace); none and all are for comparisons
              --store-budget N          most bytes of objects below --root, such as 500m or 20g (default: no limit); the least
                                        recently used are evicted, and fetched again on demand
              --disk-reserve PERCENT    part of the disk that eviction keeps free (default 20: before kubelet removes images)
              --store-least N           bytes of objects that stay even if others fill the disk (default: a tenth of it,
                                        at most 10g)
              --plan-days N             days of running time after which an unused plan is forgotten, unless containerd has
                                        its image (default 14)
              --fast-dir DIR            a separate, faster file system for prefetch lists: NVMe, persistent memory, tmpfs
              --fast-budget N           most bytes of objects in it (default: as many as fit)
              --metrics ADDRESS:PORT    address that serves metrics to Prometheus, such as 127.0.0.1:9180 (default: none)
              --node-name NAME          this node's name at the service (default: the machine's)
              --heartbeat SECONDS       pause between two reports of this node to the service (default 30)""";

    private static final Set<String> NAMES = Set.of(
            "--registry",
            "--token-file",
            "--lookup-limit",
            "--root",
            "--run",
            "--containerd",
            "--gate-command",
            "--snapshotter",
            "--plain-http",
            "--registry-ca",
            "--mounts",
            "--mount-options",
            "--mount-label",
            "--upperdir-label",
            "--start",
            "--fill",
            "--background-rate",
            "--startup",
            "--store-budget",
            "--disk-reserve",
            "--store-least",
            "--plan-days",
            "--fast-dir",
            "--fast-budget",
            "--metrics",
            "--node-name",
            "--heartbeat");

    private static final int MOST_CONTAINERDS = 9;
    private static final Pattern NODE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,9})([kmg]?)");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\s]+):([0-9]{1,5})");
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
        return new NodeConfig(
                Path.of(values.getOrDefault("--root", "/var/lib/faasimage")),
                Path.of(values.getOrDefault("--run", "/run/faasimage")),
                urls(values.getOrDefault("--registry", "http://127.0.0.1:8980")),
                Optional.ofNullable(values.get("--token-file")).map(Path::of),
                List.of(values.getOrDefault("--gate-command", "faasimage-gate")
                        .strip()
                        .split("\\s+")),
                values.getOrDefault("--snapshotter", "faasimage"),
                containerds(),
                MountChoice.parse(values.getOrDefault("--mounts", MountChoice.AUTO.label())),
                plainHttp,
                Optional.ofNullable(values.get("--registry-ca")).map(Path::of),
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                seconds("--lookup-limit", "30"),
                StartMode.parse(values.getOrDefault("--start", "early")),
                FillMode.parse(values.getOrDefault("--fill", "none")),
                startup(values.getOrDefault("--startup", "trace")),
                bytes("--background-rate"),
                budgets(),
                fast(),
                50,
                nodeName(),
                seconds("--heartbeat", "30"),
                metrics(),
                snapshots());
    }

    private SnapshotSettings snapshots() {
        String upperdir = values.getOrDefault("--upperdir-label", "no");
        if (!upperdir.matches("yes|no")) {
            throw new IllegalArgumentException("--upperdir-label must be yes or no, not '" + upperdir + "'");
        }
        return SnapshotSettings.of(
                values.getOrDefault("--mount-options", ""),
                Optional.ofNullable(values.get("--mount-label")),
                upperdir.equals("yes"));
    }

    private Budgets.Chosen budgets() {
        Budgets.Chosen usual = Budgets.Chosen.USUAL;
        return new Budgets.Chosen(
                bytes("--store-budget"),
                number("--disk-reserve", usual.reservePercent(), 1, 90),
                bytes("--store-least"),
                number("--plan-days", usual.planDays(), 1, 3650));
    }

    private int number(String name, int usual, int least, int most) {
        String text = values.getOrDefault(name, Integer.toString(usual));
        int number = text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
        if (number < least || number > most) {
            throw new IllegalArgumentException(name + " must be " + least + " to " + most + ", not '" + text + "'");
        }
        return number;
    }

    private List<Path> containerds() {
        String given = values.getOrDefault("--containerd", "/run/containerd/containerd.sock");
        List<String> sockets = List.of(given.split(",", -1));
        if (sockets.size() > MOST_CONTAINERDS || sockets.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("--containerd must name 1 to " + MOST_CONTAINERDS
                    + " sockets, separated by commas, not '" + given + "'");
        }
        return sockets.stream().map(Path::of).toList();
    }

    private Optional<String> nodeName() {
        Optional<String> name = Optional.ofNullable(values.get("--node-name"));
        if (name.filter(n -> !NODE_NAME.matcher(n).matches()).isPresent()) {
            throw new IllegalArgumentException(
                    "--node-name must have 1 to 253 letters, digits, dots, hyphens or underscores, and"
                            + " begin with a letter or digit, not '" + name.get() + "'");
        }
        return name;
    }

    private Duration seconds(String name, String byDefault) {
        String seconds = values.getOrDefault(name, byDefault);
        if (!seconds.matches("[1-9][0-9]{0,4}")) {
            throw new IllegalArgumentException(name + " must be 1 to 99999 seconds, not '" + seconds + "'");
        }
        return Duration.ofSeconds(Integer.parseInt(seconds));
    }

    private Optional<InetSocketAddress> metrics() {
        @Nullable String text = values.get("--metrics");
        if (text == null) {
            return Optional.empty();
        }
        Matcher matcher = ADDRESS.matcher(text);
        int port = matcher.matches() ? Integer.parseInt(matcher.group(2)) : -1;
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("--metrics must be ADDRESS:PORT, as 127.0.0.1:9180, not '" + text + "'");
        }
        InetSocketAddress address = new InetSocketAddress(matcher.group(1), port);
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("--metrics: there is no host '" + matcher.group(1) + "'");
        }
        return Optional.of(address);
    }

    private static PrefetchList startup(String text) {
        return switch (text) {
            case "trace" -> PrefetchList.TRACE;
            case "none" -> PrefetchList.NONE;
            case "all" -> PrefetchList.ALL;
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

    private static List<URI> urls(String text) {
        try {
            return ServiceConfig.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--registry must be http://HOST:PORT or https://..., several separated by commas, not '" + text
                            + "'",
                    e);
        }
    }
}

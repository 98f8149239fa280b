package io.faasimage.node;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.node.prefetch.StartupSet;
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

/** Reads the command line. */
final class Options {
    static final String USAGE = """
            usage: faasimage-node [OPTION VALUE]...
              --registry URL[,URL]...   registry-service (default http://127.0.0.1:8980); several addresses are tried in this
                                        order, one that failed a moment ago last
              --token-file FILE         its bearer token; read again when the file has changed
              --lookup-limit SECONDS    how long a read waits for a file's content while nothing of it comes; an input/output
                                        error after that (default 30)
              --root DIR                state (default /var/lib/faasimage)
              --run DIR                 sockets (default /run/faasimage)
              --containerd SOCKETS      containerd (default /run/containerd/containerd.sock); up to 9, separated by commas: the
                                        second's snapshotter is at snapshotter-2.sock, and so on: they must not share one
              --gate-command COMMAND    how the gate is started; words split at spaces (default faasimage-gate)
              --snapshotter NAME        this snapshotter's name in containerd's configuration (default faasimage)
              --plain-http HOST[:PORT]  an OCI registry without TLS; may be given several times
              --registry-ca FILE        PEM file of certificate authorities that OCI registries' certificates may be from, besides
                                        the JVM's own
              --mounts WAY              how planned images are mounted: native (by the kernel), fuse (shown by the gate)
                                        or auto (default): native where the kernel can
              --mount-options LIST      further overlayfs options of what containers write to, such as volatile
              --mount-label LABEL       SELinux label of planned root file systems (default: containers' files, without
                                        categories, where SELinux is on)
              --upperdir-label yes|no   whether snapshots say where their upper directory lies (default no)
              --start early|complete    start containers at once and fetch meanwhile (default), or when all they need is here;
                                        a function's own setting comes first
              --fill none|idle          leave the rest of an image where it is (default), or fetch it when no start waits
              --background-rate N       bytes per second of what no start waits for, as 500k, 20m or 1g (default: no limit)
              --startup trace|none|all  what is fetched ahead of its reads; none and all are for comparisons
              --store-budget N          bytes of objects below --root, as 500m or 20g (default: no limit); what was used least
                                        is dropped, and fetched again when it is read
              --disk-reserve PERCENT    part of the disk that is kept free in the same way (default 20: before kubelet
                                        removes images)
              --store-least N           bytes of objects that stay though others fill the disk (default: a tenth of
                                        it, at most 10g)
              --plan-days N             days the agent runs until it forgets a plan that nobody used and whose image
                                        containerd does not have (default 14)
              --fast-dir DIR            a mounted file system for what starts read: NVMe, persistent memory, tmpfs
              --fast-budget N           bytes of objects in it (default: as many as it takes)
              --metrics ADDRESS:PORT    where Prometheus may ask, as 127.0.0.1:9180 (default: nowhere)
              --node-name NAME          this node's name at the registry (default: the machine's)
              --heartbeat SECONDS       pause between two reports on this node to the registry (default 30)""";

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
            throw new IllegalArgumentException("--containerd has 1 to " + MOST_CONTAINERDS
                    + " sockets, separated by commas, unlike '" + given + "'");
        }
        return sockets.stream().map(Path::of).toList();
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

package io.faasimage.node;

import static io.faasimage.node.NodeOption.BACKGROUND_RATE;
import static io.faasimage.node.NodeOption.CATALOGUE;
import static io.faasimage.node.NodeOption.CATALOGUE_BUDGET;
import static io.faasimage.node.NodeOption.CATALOGUE_NAMESPACES;
import static io.faasimage.node.NodeOption.CONTAINERD;
import static io.faasimage.node.NodeOption.DISK_RESERVE;
import static io.faasimage.node.NodeOption.ENROL_TOKEN_FILE;
import static io.faasimage.node.NodeOption.EXPEDITE_RCU;
import static io.faasimage.node.NodeOption.FILL;
import static io.faasimage.node.NodeOption.GATE_COMMAND;
import static io.faasimage.node.NodeOption.HEARTBEAT;
import static io.faasimage.node.NodeOption.INSECURE;
import static io.faasimage.node.NodeOption.LOOKUP_LIMIT;
import static io.faasimage.node.NodeOption.METRICS;
import static io.faasimage.node.NodeOption.MOUNTS;
import static io.faasimage.node.NodeOption.MOUNT_LABEL;
import static io.faasimage.node.NodeOption.MOUNT_OPTIONS;
import static io.faasimage.node.NodeOption.NODE_NAME;
import static io.faasimage.node.NodeOption.PLAIN_HTTP;
import static io.faasimage.node.NodeOption.PLANS;
import static io.faasimage.node.NodeOption.PLAN_DAYS;
import static io.faasimage.node.NodeOption.PLAN_KEY;
import static io.faasimage.node.NodeOption.REGISTRY;
import static io.faasimage.node.NodeOption.REGISTRY_CA;
import static io.faasimage.node.NodeOption.REGISTRY_HOSTS;
import static io.faasimage.node.NodeOption.ROOT;
import static io.faasimage.node.NodeOption.RUN;
import static io.faasimage.node.NodeOption.SERVICE_CA;
import static io.faasimage.node.NodeOption.SERVICE_CERT;
import static io.faasimage.node.NodeOption.SERVICE_KEY;
import static io.faasimage.node.NodeOption.SERVICE_NAME;
import static io.faasimage.node.NodeOption.SNAPSHOTTER;
import static io.faasimage.node.NodeOption.START;
import static io.faasimage.node.NodeOption.STARTUP;
import static io.faasimage.node.NodeOption.STORE_BUDGET;
import static io.faasimage.node.NodeOption.STORE_LEAST;
import static io.faasimage.node.NodeOption.TOKEN_FILE;
import static io.faasimage.node.NodeOption.UPPERDIR_LABEL;
import static io.faasimage.node.NodeOption.WARM_UP;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.option.OptionParser;
import io.faasimage.api.option.OptionValues;
import io.faasimage.node.containerd.catalogue.CatalogueConfig;
import io.faasimage.node.containerd.image.Namespaces;
import io.faasimage.node.containerd.snapshot.SnapshotSettings;
import io.faasimage.node.link.service.PlanOrigin;
import io.faasimage.node.plans.prefetch.PrefetchList;
import io.faasimage.node.plans.rootfs.MountChoice;
import io.faasimage.node.plans.storage.Budgets;
import io.faasimage.oci.HostDirectories;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The parser of the command line. */
final class Options {
    static final OptionParser<NodeOption> PARSER = new OptionParser<>("faasimage-node", NodeOption.values());

    private static final String DEFAULT_SERVICE = "http://127.0.0.1:8980";
    private static final int MOST_CONTAINERDS = 9;
    private static final int MOST_SECONDS = 99_999;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,9})([kmg]?)");
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\s]+):([0-9]{1,5})");

    private final OptionValues<NodeOption> values;

    private Options(OptionValues<NodeOption> values) {
        this.values = values;
    }

    /**
     * The settings that {@code arguments} describe.
     *
     * @throws IllegalArgumentException whose message is for the user
     */
    static NodeConfig parse(List<String> arguments) {
        return new Options(PARSER.parse(arguments)).config();
    }

    private NodeConfig config() {
        return new NodeConfig(
                Path.of(values.text(ROOT, "/var/lib/faasimage")),
                Path.of(values.text(RUN, "/run/faasimage")),
                urls(values.text(REGISTRY, DEFAULT_SERVICE)),
                transport(),
                values.text(TOKEN_FILE).map(Path::of),
                enrolTokenFile(),
                values.all(PLAN_KEY).stream().map(Path::of).toList(),
                plans(),
                List.of(values.text(GATE_COMMAND, "faasimage-gate").strip().split("\\s+")),
                values.text(SNAPSHOTTER, "faasimage"),
                containerds(),
                choice(MOUNTS, MountChoice.AUTO),
                Set.copyOf(values.all(PLAIN_HTTP)),
                values.text(REGISTRY_CA).map(Path::of),
                registryHosts(),
                seconds(LOOKUP_LIMIT, 30),
                StartMode.parse(values.text(START, "early")),
                FillMode.parse(values.text(FILL, "none")),
                choice(STARTUP, PrefetchList.TRACE),
                bytes(BACKGROUND_RATE),
                budgets(),
                catalogue(),
                nodeName(),
                seconds(HEARTBEAT, 30),
                metrics(),
                snapshots(),
                yes(EXPEDITE_RCU, "no"),
                yes(WARM_UP, "yes"));
    }

    private TransportOptions transport() {
        TransportOptions transport = TransportOptions.of(
                values.text(SERVICE_CA),
                values.text(SERVICE_CERT),
                values.text(SERVICE_KEY),
                values.text(SERVICE_NAME),
                values.text(INSECURE));
        if (values.text(TOKEN_FILE).isPresent() || values.text(ENROL_TOKEN_FILE).isPresent()) {
            transport.check(urls(values.text(REGISTRY, DEFAULT_SERVICE)), INSECURE.option() + " yes");
        }
        return transport;
    }

    private PlanOrigin plans() {
        PlanOrigin plans = choice(PLANS, PlanOrigin.SERVICE);
        if (plans != PlanOrigin.SERVICE && values.all(PLAN_KEY).isEmpty()) {
            throw new IllegalArgumentException("--plans " + label(plans)
                    + " requires --plan-key: who may push to a repository must not choose what its starts read");
        }
        if (plans == PlanOrigin.REGISTRY && values.text(REGISTRY).isPresent()) {
            throw new IllegalArgumentException("--plans registry and --registry exclude each other; use --plans both");
        }
        for (NodeOption option : List.of(TOKEN_FILE, ENROL_TOKEN_FILE, CATALOGUE)) {
            if (plans == PlanOrigin.REGISTRY && values.text(option).isPresent()) {
                throw new IllegalArgumentException(option.option() + " needs a service; use --plans both");
            }
        }
        if (plans == PlanOrigin.REGISTRY && FillMode.parse(values.text(FILL, "none")) == FillMode.IDLE) {
            throw new IllegalArgumentException(
                    "--fill idle needs a service, which has the rest of an image in parts;" + " use --plans both");
        }
        return plans;
    }

    private Optional<Path> enrolTokenFile() {
        Optional<Path> file = values.text(ENROL_TOKEN_FILE).map(Path::of);
        if (file.isPresent() && values.text(TOKEN_FILE).isPresent()) {
            throw new IllegalArgumentException(
                    "--enrol-token-file and --token-file exclude each other: an enrolled node has a token of its own");
        }
        return file;
    }

    private boolean yes(NodeOption option, String otherwise) {
        String given = values.text(option, otherwise);
        if (!given.matches("yes|no")) {
            throw new IllegalArgumentException(option.option() + " must be yes or no, not '" + given + "'");
        }
        return given.equals("yes");
    }

    private SnapshotSettings snapshots() {
        return SnapshotSettings.of(values.text(MOUNT_OPTIONS, ""), values.text(MOUNT_LABEL), yes(UPPERDIR_LABEL, "no"));
    }

    private Budgets.Chosen budgets() {
        Budgets.Chosen usual = Budgets.Chosen.USUAL;
        return new Budgets.Chosen(
                bytes(STORE_BUDGET),
                values.number(DISK_RESERVE, usual.reservePercent(), 1, 90),
                bytes(STORE_LEAST),
                values.number(PLAN_DAYS, usual.planDays(), 1, 3650));
    }

    private CatalogueConfig catalogue() {
        int images = values.number(CATALOGUE, 0, 0, CatalogueConfig.MOST_IMAGES);
        if (images == 0
                && (values.text(CATALOGUE_BUDGET).isPresent()
                        || values.text(CATALOGUE_NAMESPACES).isPresent())) {
            throw new IllegalArgumentException("--catalogue-budget and --catalogue-namespaces need --catalogue");
        }
        List<String> namespaces =
                List.of(values.text(CATALOGUE_NAMESPACES, "default").split(",", -1));
        if (!namespaces.stream().allMatch(Namespaces::isOne)) {
            throw new IllegalArgumentException("--catalogue-namespaces must name namespaces of containerd, not '"
                    + values.text(CATALOGUE_NAMESPACES, "") + "'");
        }
        long budget = values.text(CATALOGUE_BUDGET).isPresent() ? bytes(CATALOGUE_BUDGET) : CatalogueConfig.USUAL_BYTES;
        return new CatalogueConfig(images, budget, namespaces);
    }

    private List<Path> containerds() {
        String given = values.text(CONTAINERD, "/run/containerd/containerd.sock");
        List<String> sockets = List.of(given.split(",", -1));
        if (sockets.size() > MOST_CONTAINERDS || sockets.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("--containerd must name 1 to " + MOST_CONTAINERDS
                    + " sockets, separated by commas, not '" + given + "'");
        }
        return sockets.stream().map(Path::of).toList();
    }

    /** As containerd's {@code config_path}. */
    private List<Path> registryHosts() {
        String given = values.text(REGISTRY_HOSTS, HostDirectories.USUAL);
        if (given.equals("none")) {
            return List.of();
        }
        List<String> directories = List.of(given.split(":", -1));
        if (!directories.stream().allMatch(directory -> directory.startsWith("/"))) {
            throw new IllegalArgumentException("--registry-hosts must be absolute directories, separated by colons, or"
                    + " none, not '" + given + "'");
        }
        return directories.stream().map(Path::of).toList();
    }

    private Optional<String> nodeName() {
        Optional<String> name = values.text(NODE_NAME);
        if (name.filter(n -> !NAME.matcher(n).matches()).isPresent()) {
            throw new IllegalArgumentException(
                    "--node-name must have 1 to 253 letters, digits, dots, hyphens or underscores, and"
                            + " begin with a letter or digit, not '" + name.get() + "'");
        }
        return name;
    }

    private Duration seconds(NodeOption option, int byDefault) {
        return Duration.ofSeconds(values.number(option, byDefault, 1, MOST_SECONDS));
    }

    private Optional<InetSocketAddress> metrics() {
        Optional<String> given = values.text(METRICS);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String text = given.get();
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

    /** One of the names of an enum, in lower case. */
    private <E extends Enum<E>> E choice(NodeOption option, E byDefault) {
        String text = values.text(option, label(byDefault));
        List<E> all = List.of(byDefault.getDeclaringClass().getEnumConstants());
        return all.stream()
                .filter(one -> label(one).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(option.option() + " must be "
                        + all.stream().limit(all.size() - 1).map(Options::label).collect(Collectors.joining(", "))
                        + " or " + label(all.getLast()) + ", not '" + text + "'"));
    }

    private static String label(Enum<?> choice) {
        return choice.name().toLowerCase(Locale.ROOT);
    }

    /** A number, with k, m or g for thousands, millions and milliards; 0 when the option is not given. */
    private long bytes(NodeOption option) {
        String text = values.text(option, "0");
        Matcher matcher = BYTES.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(option.option()
                    + " must be a number of bytes (a second) such as 500k, 20m or 1g, not '" + text + "'");
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

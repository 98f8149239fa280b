package io.faasimage.node;

import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.option.Option;

/** An option of {@code faasimage-node}. */
enum NodeOption implements Option {
    REGISTRY(
            "--registry",
            "URL[,URL]...",
            "address of registry-service (default http://127.0.0.1:8980); several are tried in this order, "
                    + "one that has just failed last"),
    TOKEN_FILE("--token-file", "FILE", "file with its bearer token; read again when it changes"),
    ENROL_TOKEN_FILE(
            "--enrol-token-file",
            "FILE",
            "instead of --token-file: file with an enrolment token, which the agent exchanges for an identity of its"
                    + " own and renews by itself; may be removed afterwards"),
    SERVICE_CA(TransportOptions.Names.SERVICE_CA),
    SERVICE_CERT(TransportOptions.Names.SERVICE_CERT),
    SERVICE_KEY(TransportOptions.Names.SERVICE_KEY),
    SERVICE_NAME(TransportOptions.Names.SERVICE_NAME),
    INSECURE(TransportOptions.Names.INSECURE),
    PLAN_KEY(
            "--plan-key",
            "FILE",
            "PEM file with public keys, from 'faasimage plan-key show': plans that none of them has signed are refused,"
                    + " and their images are pulled layer by layer; may be given several times (default: every plan is"
                    + " used)"),
    PLANS(
            "--plans",
            "service|registry|both",
            "where plans come from: registry-service (default), the artifacts that 'faasimage publish' puts beside"
                    + " images in their registries, or the service while it answers and has one, else the artifacts;"
                    + " registry and both require --plan-key"),
    LOOKUP_LIMIT(
            "--lookup-limit",
            "SECONDS",
            "how long a read waits for a missing file while nothing of it arrives, before it fails with an "
                    + "input/output error (default 30)"),
    ROOT("--root", "DIR", "state directory (default /var/lib/faasimage)"),
    RUN("--run", "DIR", "directory of sockets (default /run/faasimage)"),
    CONTAINERD(
            "--containerd",
            "SOCKETS",
            "containerd's socket (default /run/containerd/containerd.sock); up to 9, separated by commas. "
                    + "The second containerd must use snapshotter-2.sock, and so on"),
    GATE_COMMAND("--gate-command", "COMMAND", "command that starts the gate, split at spaces (default faasimage-gate)"),
    SNAPSHOTTER("--snapshotter", "NAME", "this snapshotter's name in containerd's configuration (default faasimage)"),
    PLAIN_HTTP("--plain-http", "HOST[:PORT]", "an OCI registry without TLS; may be given several times"),
    REGISTRY_CA(
            "--registry-ca",
            "FILE",
            "PEM file with certificate authorities of OCI registries, in addition to the JVM's own"),
    REGISTRY_HOSTS(
            "--registry-hosts",
            "DIRS",
            "directories of hosts.toml files as containerd's config_path names them, separated by colons: mirrors of"
                    + " OCI registries (default /etc/containerd/certs.d:/etc/docker/certs.d); or none"),
    MOUNTS(
            "--mounts",
            "WAY",
            "how planned images are mounted: native (by the kernel), fuse (served by the gate) or auto "
                    + "(default): native where the kernel supports it"),
    MOUNT_OPTIONS(
            "--mount-options", "LIST", "further overlayfs options of containers' writable layers, such as volatile"),
    MOUNT_LABEL(
            "--mount-label",
            "LABEL",
            "SELinux label of planned root file systems (default: container_file_t without categories, if "
                    + "SELinux is on)"),
    UPPERDIR_LABEL(
            "--upperdir-label", "yes|no", "whether snapshots are labelled with their upper directory (default no)"),
    START(
            "--start",
            "early|complete",
            "start containers at once and fetch meanwhile (default), or when their prefetch list is "
                    + "complete; a function's own setting overrides this"),
    FILL("--fill", "none|idle", "fetch the rest of an image on demand only (default), or while no start is waiting"),
    BACKGROUND_RATE(
            "--background-rate",
            "N",
            "most bytes per second of background fetches, such as 500k, 20m or 1g (default: no limit)"),
    STARTUP(
            "--startup",
            "trace|none|all",
            "what is fetched before it is read (default trace); none and all are for comparisons"),
    STORE_BUDGET(
            "--store-budget",
            "N",
            "most bytes of objects below --root, such as 500m or 20g (default: no limit); the least "
                    + "recently used are evicted, and fetched again on demand"),
    DISK_RESERVE(
            "--disk-reserve",
            "PERCENT",
            "part of the disk that eviction keeps free (default 20: before kubelet removes images)"),
    STORE_LEAST(
            "--store-least",
            "N",
            "bytes of objects that stay even if others fill the disk (default: a tenth of it, at most 10g)"),
    PLAN_DAYS(
            "--plan-days",
            "N",
            "days of running time after which an unused plan is forgotten, unless containerd has its image "
                    + "(default 14)"),
    CATALOGUE(
            "--catalogue",
            "N",
            "most images of registered functions that are kept ready in containerd without their files, the last "
                    + "registered first, so that their starts pull nothing (default 0, at most 2000)"),
    CATALOGUE_BUDGET("--catalogue-budget", "N", "most bytes of their plans and metadata images (default 2g)"),
    CATALOGUE_NAMESPACES(
            "--catalogue-namespaces",
            "NAME[,NAME]...",
            "containerd's namespaces that they are kept in, such as k8s.io or openfaas-fn (default: default)"),
    METRICS(
            "--metrics",
            "ADDRESS:PORT",
            "address that serves metrics to Prometheus, such as 127.0.0.1:9180 (default: none)"),
    NODE_NAME("--node-name", "NAME", "this node's name at the service (default: the machine's)"),
    EXPEDITE_RCU(
            "--expedite-rcu",
            "yes|no",
            "whether the kernel's RCU grace periods are expedited while containers start, which shortens starts"
                    + " by some 10 ms and interrupts all processors (default no)"),
    WARM_UP(
            "--warm-up",
            "yes|no",
            "whether agent and gate run made-up starts and look-ups when they begin, which take some seconds of"
                    + " processor time; without them the first starts after a boot are slower (default yes)"),
    HEARTBEAT("--heartbeat", "SECONDS", "pause between two reports of this node to the service (default 30)");

    private final String option;
    private final String value;
    private final String help;

    NodeOption(String option, String value, String help) {
        this.option = option;
        this.value = value;
        this.help = help;
    }

    NodeOption(Option shared) {
        this(shared.option(), shared.value(), shared.help());
    }

    @Override
    public String option() {
        return option;
    }

    @Override
    public String value() {
        return value;
    }

    @Override
    public String help() {
        return help;
    }

    @Override
    public boolean repeatable() {
        return this == PLAIN_HTTP || this == PLAN_KEY;
    }
}

package io.faasimage.node;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TokenFile;
import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.node.containerd.catalogue.CatalogueConfig;
import io.faasimage.node.containerd.snapshot.SnapshotSettings;
import io.faasimage.node.link.service.PlanOrigin;
import io.faasimage.node.plans.prefetch.PrefetchList;
import io.faasimage.node.plans.rootfs.MountChoice;
import io.faasimage.node.plans.storage.Budgets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Settings of the node agent.
 *
 * @param root state directory; short, as it is in mount options
 * @param run directory of the sockets
 * @param registry addresses of registry-service
 * @param transport how to reach them
 * @param tokenFile file with its bearer token, when it has one
 * @param enrolTokenFile file with an enrolment token, when the node is to have an identity of its own
 * @param planKeys files with public keys, one of which must have signed a plan; none when every plan is used
 * @param plans where they come from
 * @param gateCommand how fuse-node is started, without its options
 * @param snapshotter the name under which containerd knows this snapshotter
 * @param containerds gRPC sockets of the containerds that use this snapshotter, the node's first; each has a
 *     snapshotter's socket of its own
 * @param mounts how planned root file systems are to be mounted
 * @param plainHttp OCI registries that are spoken to without TLS, besides those of this machine
 * @param registryAuthorities PEM file of authorities that are trusted for OCI registries, besides the JVM's own
 * @param registryHosts directories of {@code hosts.toml} files, which name the mirrors of OCI registries
 * @param lookupLimit how long a read waits for an object while nothing of it comes
 * @param start when containers start, where their function does not say
 * @param fill whether the rest of an image is pulled after its start, where its function does not say
 * @param startup the prefetch list of a start
 * @param backgroundRate bytes per second of pulls that no start waits for; 0 for no limit
 * @param budgets of the disk of {@code root}
 * @param catalogue images of functions that are kept ready in containerd
 * @param nodeName name of this node at the service; the machine's when empty
 * @param heartbeat pause between two reports on this node to the service
 * @param metrics address for Prometheus; no metrics when empty
 * @param snapshots how snapshots are mounted and described
 * @param expediteRcu whether the kernel's RCU grace periods are expedited while containers start
 * @param warmUp whether agent and gate run made-up starts and look-ups when they begin
 */
public record NodeConfig(
        Path root,
        Path run,
        List<URI> registry,
        TransportOptions transport,
        Optional<Path> tokenFile,
        Optional<Path> enrolTokenFile,
        List<Path> planKeys,
        PlanOrigin plans,
        List<String> gateCommand,
        String snapshotter,
        List<Path> containerds,
        MountChoice mounts,
        Set<String> plainHttp,
        Optional<Path> registryAuthorities,
        List<Path> registryHosts,
        Duration lookupLimit,
        StartMode start,
        FillMode fill,
        PrefetchList startup,
        long backgroundRate,
        Budgets.Chosen budgets,
        CatalogueConfig catalogue,
        Optional<String> nodeName,
        Duration heartbeat,
        Optional<InetSocketAddress> metrics,
        SnapshotSettings snapshots,
        boolean expediteRcu,
        boolean warmUp) {
    /** The longest time for a connection to the service. */
    static final Duration CONNECT = Duration.ofSeconds(2);

    /** The longest time for an answer of the service to "is this planned". */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** The longest time for one read of an answer. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** Copies the collections and makes the paths absolute. */
    public NodeConfig {
        root = root.toAbsolutePath().normalize();
        run = run.toAbsolutePath().normalize();
        gateCommand = List.copyOf(gateCommand);
        containerds = List.copyOf(containerds);
        plainHttp = Set.copyOf(plainHttp);
        registryHosts = List.copyOf(registryHosts);
        registry = List.copyOf(registry);
        planKeys = List.copyOf(planKeys);
    }

    /** The gRPC socket of the node's first containerd. */
    public Path containerd() {
        return containerds.getFirst();
    }

    /** The control socket of this process. */
    public Path nodeSocket() {
        return run.resolve("node.sock");
    }

    /** The control socket of the gate. */
    public Path gateSocket() {
        return run.resolve("gate.sock");
    }

    /** The socket at which the gate requests objects. */
    public Path objectsSocket() {
        return run.resolve("objects.sock");
    }

    /** The snapshotter's sockets, one for each containerd. */
    public List<Path> snapshotterSockets() {
        List<Path> sockets = new ArrayList<>(List.of(snapshotterSocket()));
        for (int number = 2; number <= containerds.size(); number++) {
            sockets.add(run.resolve("snapshotter-" + number + ".sock"));
        }
        return sockets;
    }

    /** The snapshotter's socket for the node's first containerd. */
    public Path snapshotterSocket() {
        return run.resolve("snapshotter.sock");
    }

    /** The service with these time limits and a source of tokens. */
    public ServiceConfig registryConfig(Supplier<Optional<String>> tokens) {
        return ServiceConfig.of(registry, tokens)
                .withTransport(transport)
                .withTimeouts(CONNECT, ANSWER)
                .withSilence(SILENCE);
    }

    /** The token of the operator's file, read again when the file has changed. */
    public Supplier<Optional<String>> token() throws IOException {
        if (tokenFile.isEmpty()) {
            return Optional::empty;
        }
        try {
            return new TokenFile(tokenFile.get());
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "the token file " + tokenFile.get() + " does not exist; registry-service writes one into its data "
                            + "directory, copy it to this node or leave --token-file out",
                    e);
        }
    }

    /** The file of this node's identity, when it enrols. */
    public Path identityFile() {
        return root.resolve("identity");
    }

    /** The name of this node at the service. */
    public String name() throws IOException {
        return nodeName.isPresent() ? nodeName.get() : hostName();
    }

    private static String hostName() throws IOException {
        String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        String fit = name.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[._-]+", "");
        return fit.isEmpty() ? "node" : fit;
    }

    /** Where the gate shows root file systems, when the kernel cannot mount them. */
    public Path gateImages() {
        return root.resolve("gate-images");
    }

    /** The whole command of a gate; with {@code images}, it is to show root file systems. */
    public List<String> wholeGateCommand(boolean images) {
        List<String> command = new ArrayList<>(gateCommand);
        command.addAll(List.of(
                "--store", root.toString(),
                "--mount", root.resolve("gate").toString(),
                "--fetch-timeout", lookupLimit.toMillis() + "ms",
                "--control", gateSocket().toString(),
                "--agent", objectsSocket().toString()));
        if (plans == PlanOrigin.SERVICE) {
            // Otherwise the service may lack what a container waits for, and the gate has nobody but the agent.
            command.addAll(List.of("--registry", ServiceConfig.format(registry)));
        }
        if (images) {
            command.addAll(List.of("--images", gateImages().toString()));
        }
        command.addAll(transport.arguments());
        enrolTokenFile
                .map(file -> identityFile())
                .or(() -> tokenFile)
                .ifPresent(file -> command.addAll(
                        List.of("--token-file", file.toAbsolutePath().toString())));
        return command;
    }
}

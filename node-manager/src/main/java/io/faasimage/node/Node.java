package io.faasimage.node;

import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.linux.FileSystems;
import io.faasimage.linux.MountProbe;
import io.faasimage.node.container.TaskEvents;
import io.faasimage.node.control.NodeControl;
import io.faasimage.node.control.NodeStatus;
import io.faasimage.node.control.ObjectControl;
import io.faasimage.node.event.Events;
import io.faasimage.node.gate.GateConfig;
import io.faasimage.node.gate.GateSupervisor;
import io.faasimage.node.image.ContainerdChannel;
import io.faasimage.node.image.ContentManifests;
import io.faasimage.node.image.ImageTraces;
import io.faasimage.node.image.Images;
import io.faasimage.node.image.OciRegistry;
import io.faasimage.node.image.RegistryCredentials;
import io.faasimage.node.lazy.PlannedImages;
import io.faasimage.node.metrics.MetricsServer;
import io.faasimage.node.metrics.NodeMetrics;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.prefetch.PlanConfig;
import io.faasimage.node.prefetch.RuntimeBases;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.record.NodeRecords;
import io.faasimage.node.registry.Breaker;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.node.registry.RequestBudget;
import io.faasimage.node.rehearsal.Rehearsal;
import io.faasimage.node.rootfs.DataLayers;
import io.faasimage.node.rootfs.GateViews;
import io.faasimage.node.rootfs.MountPlanner;
import io.faasimage.node.rootfs.PlanMounts;
import io.faasimage.node.rootfs.RootMounts;
import io.faasimage.node.snapshot.SnapshotterConfig;
import io.faasimage.node.snapshot.SnapshotterServer;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartEvent.ObjectDemanded;
import io.faasimage.node.storage.Budgets;
import io.faasimage.node.storage.Checkpoints;
import io.faasimage.node.storage.StorageKeeper;
import io.faasimage.node.trace.StartTracer;
import io.faasimage.node.trace.StartTracerConfig;
import io.faasimage.node.trace.TraceOutbox;
import io.faasimage.spans.SpanExport;
import io.faasimage.store.FastTier;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.Tier;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The running agent. Started in the order state, gate, control, snapshotter, and ended in the opposite one: whoever
 * finds the snapshotter's socket finds everything behind it.
 */
final class Node implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Node.class.getName());
    /** Short enough for several attempts of one look-up. */
    private static final Duration PULL_ANSWER = Duration.ofSeconds(10);
    /** One part of so many of the fast tier's size may be used by metadata images, besides. */
    private static final int METADATA_PART = 8;
    /** How long what a start reads is taken for a part of the start. */
    private static final Duration START_WINDOW = Duration.ofSeconds(10);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final AtomicReference<@Nullable GateSupervisor> gate = new AtomicReference<>();

    /**
     * Starts everything.
     *
     * @param stop called when a client asks for the end; with true when the gate is to end too
     * @throws IOException when a part cannot start; nothing is left running then, except the gate
     */
    Node(NodeConfig config, Consumer<Boolean> stop) throws IOException {
        try {
            start(config, stop);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void start(NodeConfig config, Consumer<Boolean> stop) throws IOException {
        if (ControlServer.isServed(config.nodeSocket())) {
            throw new IOException("another node agent already serves " + config.nodeSocket()
                    + "; stop it first, or choose another directory with --run");
        }
        // Checks the directory names before anything is made.
        SnapshotterConfig snapshotter =
                SnapshotterConfig.of(config.root(), config.snapshotterSockets(), config.snapshots());
        Files.createDirectories(config.root());
        Files.createDirectories(config.run());
        InstantSource clock = InstantSource.system();
        Events events = new Events(config.events(), clock);
        MountPlanner planner = MountPlanner.choose(MountProbe.run(config.root()), config.mounts());
        if (planner.unsupported().isPresent()) {
            events.fallback("mount", planner.describe());
        } else {
            events.info("mount", planner.describe());
        }

        Optional<FastTier> fast = FastTierChoice.usable(config, events);
        StartSpans spans = new StartSpans(part(SpanExport.fromEnvironment("faasimage-node-manager")));
        ObjectStore store = part(ObjectStore.open(config.root(), fast, "node"));
        PlanStore planStore = PlanStore.open(config.root(), events, clock);
        planStore.marks().useFastTier(store.fastIdentity(), planStore.all());
        if (store.fastDirectory().isPresent()) {
            planStore.images().copyTo(store.fastDirectory().get(), store.fastLimit() / METADATA_PART);
        }
        RegistryConfig service = config.registryConfig();
        Breaker breaker = new Breaker(config.breakerPause(), System::nanoTime);
        RequestBudget budget = new RequestBudget();
        RegistryLink lookups = link(service, breaker, budget);
        RegistryLink bulk = link(service.withTimeouts(config.connectTimeout(), PULL_ANSWER), breaker, budget);
        PlanConfig planConfig = PlanConfig.standard(config.start(), config.fill(), config.startup());
        Pulls pulls = part(new Pulls(
                bulk,
                store,
                PullConfig.standard(config.backgroundRate()).withLookupLimit(config.lookupLimit()),
                events,
                clock));
        pulls.tell(spans);
        String name = config.nodeName().orElse(hostName());
        RegistryLink telling = link(service, breaker, budget);
        NodeRecords records = part(new NodeRecords(new NodeRecords.Parts(
                config.root(),
                name,
                START_WINDOW,
                config.start(),
                store,
                planStore,
                pulls,
                telling,
                spans,
                events,
                clock)));
        pulls.demand().listen(demanded -> records.recorder().accept(new ObjectDemanded(demanded)));
        pulls.demand().place(() -> records.recorder().isStarting() ? Tier.FAST : Tier.CAPACITY);

        AtomicReference<@Nullable PlannedImages> planned = new AtomicReference<>();
        AtomicReference<@Nullable SnapshotterServer> serving = new AtomicReference<>();
        GateSupervisor supervisor = part(new GateSupervisor(
                gateConfig(config, planner.way(), store),
                events,
                died -> gateReplaced(planned, serving, died, events)));
        PlanMounts mounts = mounts(config, planner.way(), store, events);
        List<ContainerdChannel> containerds = new ArrayList<>();
        for (Path socket : config.containerds()) {
            containerds.add(part(new ContainerdChannel(socket)));
        }
        PlannedImages plans = part(new PlannedImages(
                new PlannedImages.Parts(
                        planStore,
                        new ContentManifests(containerds),
                        pulls,
                        lookups,
                        mounts,
                        supervisor,
                        store,
                        records.recorder(),
                        spans,
                        events),
                planConfig,
                planner.unsupported()));
        planned.set(plans);
        Path disk = config.root();
        StorageKeeper storage = part(new StorageKeeper(
                new StorageKeeper.Parts(
                        store,
                        planStore,
                        plans,
                        pulls,
                        () -> FileSystems.space(disk).availableBytes(),
                        () -> Optional.ofNullable(serving.get()).flatMap(SnapshotterServer::claimedChains),
                        events),
                Budgets.of(config.budgets(), FileSystems.space(disk).totalBytes()),
                clock));
        storage.start();
        part(new Checkpoints(store, planStore, pulls::awaitCalm, Checkpoints.Limits.USUAL, events))
                .start();
        gate.set(supervisor);
        // Before the gate, which asks there.
        part(ControlServer.start(
                config.objectsSocket(), new ObjectControl(pulls.demand(), spans), ObjectControl.WAITING));
        supervisor.start();
        plans.retention().resumeWhole();

        RegistryTraces registryTraces = new RegistryTraces(lookups, plans, events, planConfig.lookup());
        TraceOutbox outbox = part(new TraceOutbox(TraceOutbox.below(config.root()), registryTraces, events));
        StartTracer tracer = part(new StartTracer(
                StartTracerConfig.below(config.root()), registryTraces, outbox, records.recorder(), events));
        ContainerdChannel containerd = containerds.getFirst();
        OciRegistry registry = part(new OciRegistry(
                new RegistryCredentials(dockerConfig()),
                config.plainHttp(),
                registryTls(config.registryAuthorities())));
        Images images = new Images(registry, containerd, plans, config.snapshotter(), events);
        ImageTraces traces = new ImageTraces(
                images,
                tracer,
                outbox,
                registryTraces,
                config.containerd(),
                config.root().resolve("traces"));
        NodeStatus status = new NodeStatus(
                new NodeStatus.Parts(version(), store, planStore, plans, pulls, supervisor, lookups, planner, events));
        part(ControlServer.start(
                config.nodeSocket(),
                new NodeControl(status, images, traces, new RuntimeBases(bulk, pulls, planStore), storage, stop)));
        SnapshotterServer server = part(new SnapshotterServer(snapshotter, plans, tracer, records.recorder()));
        Path stage = Rehearsal.directory(config.run());
        part(new IdleMemory(
                pulls, new Rehearsal(stage, events, () -> pulls.running().isEmpty())::again));
        if (config.metrics().isPresent()) {
            NodeMetrics metrics = new NodeMetrics(new NodeMetrics.Parts(
                    version(),
                    planner.way().label(),
                    store,
                    storage,
                    planStore,
                    pulls,
                    supervisor,
                    List.of(lookups, bulk),
                    breaker,
                    budget,
                    Map.of("trace", outbox.outbox(), "record", records.outbox()),
                    spans.spans(),
                    events));
            records.recorder().listen(metrics::started);
            MetricsServer served =
                    part(MetricsServer.start(metrics, config.metrics().get()));
            events.info("metrics", "for Prometheus at http:/" + served.address() + "/metrics");
        }
        serving.set(server);
        server.start();
        events.info("snapshots", "served on " + snapshotter.sockets());
        part(new TaskEvents(containerd, config.snapshotter(), records.recorder(), events))
                .start();
        records.beat(
                config.heartbeat(),
                version(),
                planner.describe(),
                planner.unsupported(),
                config.budgets().capacityBytes());
        new Rehearsal(
                        stage,
                        events,
                        () -> pulls.running().isEmpty() && pulls.finished().isEmpty())
                .start();
    }

    private RegistryLink link(RegistryConfig config, Breaker breaker, RequestBudget budget) {
        return new RegistryLink(part(new RegistryClient(config)), breaker, budget);
    }

    private static PlanMounts mounts(NodeConfig config, MountPlanner.Way way, ObjectStore store, Events events)
            throws IOException {
        RootMounts kernel = new RootMounts(
                config.root(),
                way == MountPlanner.Way.EROFS_FILE,
                new DataLayers(config.root(), store.fastDirectory(), events),
                events);
        return way == MountPlanner.Way.FUSE ? new GateViews(config.gateImages(), kernel) : kernel;
    }

    private static GateConfig gateConfig(NodeConfig config, MountPlanner.Way way, ObjectStore store) {
        boolean images = way == MountPlanner.Way.FUSE;
        return GateConfig.of(
                config.wholeGateCommand(images, store.fastDirectory()),
                config.root().resolve("gate"),
                images ? Optional.of(config.gateImages()) : Optional.empty(),
                store.fastDirectory(),
                config.gateSocket(),
                RegistryConfig.format(config.registry()));
    }

    private static void gateReplaced(
            AtomicReference<@Nullable PlannedImages> planned,
            AtomicReference<@Nullable SnapshotterServer> serving,
            boolean died,
            Events events) {
        PlannedImages plans = planned.get();
        if (plans != null) {
            plans.retention().gateReplaced(died);
        }
        SnapshotterServer server = serving.get();
        if (server != null) {
            try {
                server.gateReplaced();
            } catch (IOException e) {
                events.error("mount", "root file systems stay on the old gate: " + Events.reason(e));
            }
        }
    }

    private static String hostName() throws IOException {
        String name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        String fit = name.replaceAll("[^A-Za-z0-9._-]", "-").replaceFirst("^[._-]+", "");
        return fit.isEmpty() ? "node" : fit;
    }

    private static Optional<SSLContext> registryTls(Optional<Path> authorities) throws IOException {
        return authorities.isPresent()
                ? Optional.of(TrustedAuthorities.with(authorities.get()).context())
                : Optional.empty();
    }

    private static Path dockerConfig() {
        @Nullable String directory = System.getenv("DOCKER_CONFIG");
        return directory == null
                ? Path.of(System.getProperty("user.home", "/root"), ".docker", "config.json")
                : Path.of(directory, "config.json");
    }

    private static String version() {
        @Nullable String version = Node.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    /** Ends the gate too; before {@link #close}. */
    void stopGate() {
        GateSupervisor supervisor = gate.get();
        if (supervisor != null) {
            supervisor.close();
            supervisor.stopGate();
        }
    }

    /** Ends all parts but the gate, the last started first. Idempotent. */
    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "could not end " + part.getClass().getSimpleName(), e);
            }
        }
    }
}

package io.faasimage.node;

import io.faasimage.api.client.MinimumRate;
import io.faasimage.api.concurrent.Closing;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.trust.CipherWarmUp;
import io.faasimage.api.trust.TrustedAuthorities;
import io.faasimage.node.agent.control.NodeControl;
import io.faasimage.node.agent.control.StatusReport;
import io.faasimage.node.agent.metrics.AgentMetrics;
import io.faasimage.node.agent.metrics.CatalogueMetrics;
import io.faasimage.node.agent.metrics.DemandMetrics;
import io.faasimage.node.agent.metrics.GateMetrics;
import io.faasimage.node.agent.metrics.MetricsServer;
import io.faasimage.node.agent.metrics.NodeMetrics;
import io.faasimage.node.agent.metrics.OutboxMetrics;
import io.faasimage.node.agent.metrics.ServiceMetrics;
import io.faasimage.node.agent.metrics.StoreMetrics;
import io.faasimage.node.agent.warmup.WarmUp;
import io.faasimage.node.containerd.catalogue.Catalogue;
import io.faasimage.node.containerd.container.TaskEvents;
import io.faasimage.node.containerd.image.ImageLayers;
import io.faasimage.node.containerd.image.ImageTraces;
import io.faasimage.node.containerd.image.Images;
import io.faasimage.node.containerd.snapshot.SnapshotterConfig;
import io.faasimage.node.containerd.snapshot.SnapshotterServer;
import io.faasimage.node.link.artifact.ArtifactPlans;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.start.ExpeditedRcu;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.prefetch.RuntimeBases;
import io.faasimage.node.plans.storage.StorageKeeper;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.starts.record.Heartbeat;
import io.faasimage.node.starts.record.NodeDescription;
import io.faasimage.node.starts.record.NodeReports;
import io.faasimage.node.starts.trace.StartTracer;
import io.faasimage.node.starts.trace.StartTracerConfig;
import io.faasimage.node.starts.trace.TraceOutbox;
import io.faasimage.node.starts.trace.TraceSink;
import io.faasimage.oci.DockerLogins;
import io.faasimage.oci.HostDirectories;
import io.faasimage.oci.OciRegistry;
import io.faasimage.oci.UserHosts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The parts of the agent that containerd and operators reach: the snapshotter, the control socket, traces, metrics. */
final class ContainerdAssembly {
    private final NodeConfig config;
    private final DiskAssembly disk;
    private final ServiceAssembly service;
    private final PlanAssembly planned;
    private final Closing closing;
    private final ServiceTraces registryTraces;
    private final TraceOutbox traces;
    private final StartTracer tracer;
    private final SnapshotterServer server;
    private final StorageKeeper storage;
    private final Images images;
    private final Catalogue catalogue;

    ContainerdAssembly(
            NodeConfig config, DiskAssembly disk, ServiceAssembly service, PlanAssembly planned, Closing closing)
            throws IOException {
        this.config = config;
        this.disk = disk;
        this.service = service;
        this.planned = planned;
        this.closing = closing;
        registryTraces =
                new ServiceTraces(service.lookups, planned.plans, planned.ranges, disk.events, planned.config.lookup());
        traces = closing.add(new TraceOutbox(TraceOutbox.below(config.root()), registryTraces, disk.events));
        tracer = closing.add(new StartTracer(
                StartTracerConfig.below(config.root()),
                registryTraces,
                service.lookups.hasService() ? traces : TraceSink.NONE,
                planned.recorder,
                planned.large,
                disk.events));
        SnapshotterConfig snapshotter =
                SnapshotterConfig.of(config.root(), config.snapshotterSockets(), config.snapshots());
        server = closing.add(new SnapshotterServer(snapshotter, planned.plans, tracer, starts()));
        storage = closing.add(planned.storage(server::claimedChains));
        OciRegistry registry = registry();
        images = new Images(
                registry,
                planned.containerds.getFirst(),
                planned.plans,
                planned.sources,
                config.snapshotter(),
                disk.events);
        service.useArtifacts(
                new ArtifactPlans(registry, new NodeFacts(planned.sources, planned.manifests, disk.plans, disk.trust)));
        planned.pulls.fallBackOn(closing.add(new ImageLayers(
                registry,
                planned.sources::of,
                () -> service.lookups.hasService() && service.lookups.reachable(),
                disk.plans,
                planned.pulls.contents(),
                disk.events)));
        catalogue = closing.add(catalogue());
    }

    /**
     * Starts the gate, or adopts the one that runs, and serves everything, the snapshotter last.
     *
     * @param stop called when a client requests the end; with true when the gate is to end too
     */
    void start(Consumer<Boolean> stop) throws IOException {
        planned.gate.start(this::gateReplaced);
        planned.plans.resume();
        storage.start();
        control(stop);
        Path stage = WarmUp.directory(config.run());
        Pulls pulls = planned.pulls;
        Optional<Path> packs = disk.store.packs().map(_ -> config.root().resolve("warm-up"));
        WarmUp again = new WarmUp(
                stage,
                packs,
                disk.events,
                () -> config.warmUp() && pulls.running().isEmpty(),
                () -> {});
        closing.add(new IdleMemory(pulls, again::again));
        if (config.metrics().isPresent()) {
            serveMetrics(config.metrics().get());
        }
        server.start();
        disk.events.info("snapshots", "served on " + config.snapshotterSockets());
        closing.add(new TaskEvents(planned.containerds.getFirst(), config.snapshotter(), planned.recorder, disk.events))
                .start();
        heartbeat();
        catalogue.start();
        if (config.warmUp()) {
            new WarmUp(
                            stage,
                            packs,
                            disk.events,
                            () -> pulls.running().isEmpty() && pulls.finished().isEmpty(),
                            this::warmUpCryptography)
                    .start();
        }
    }

    private void gateReplaced(boolean died) {
        planned.plans.gateReplaced(died);
        try {
            server.gateReplaced();
        } catch (IOException e) {
            disk.events.error("mount", "root file systems stay on the old gate: " + Events.reason(e));
        }
    }

    private void warmUpCryptography() {
        if (config.registry().stream().anyMatch(address -> "https".equals(address.getScheme()))) {
            CipherWarmUp.run();
        }
        disk.trust.warmUp();
    }

    private StartEvents starts() throws IOException {
        return config.expediteRcu()
                ? closing.add(ExpeditedRcu.of(planned.recorder, Path.of("/sys"), config.run()))
                : planned.recorder;
    }

    private void heartbeat() {
        NodeReports reports = new NodeReports(
                new NodeDescription(planned.nodeName, version(), disk.ways, disk.planner.unsupported()),
                disk.store,
                config.budgets().storeBytes(),
                disk.plans,
                planned.pulls,
                planned.recorder,
                planned.journal);
        if (!service.reports.hasService()) {
            return;
        }
        closing.add(new Heartbeat(reports, service.reports, disk.events)).start(config.heartbeat());
    }

    private OciRegistry registry() throws IOException {
        return closing.add(new OciRegistry(new OciRegistry.Options(
                new UserHosts(config.plainHttp(), "faasimage-node"),
                DockerLogins.ofUser(),
                registryTls(config.registryAuthorities()),
                Duration.ofSeconds(30),
                Duration.ofSeconds(20),
                MinimumRate.STANDARD,
                1,
                new HostDirectories(
                        config.registryHosts(),
                        config.registryAuthorities(),
                        problem -> disk.events.fallback("registry", problem)))));
    }

    private Catalogue catalogue() {
        return new Catalogue(
                config.catalogue(),
                service.reports,
                planned.plans,
                disk.plans,
                images.catalogued(),
                planned,
                disk.clock,
                disk.events);
    }

    private void control(Consumer<Boolean> stop) throws IOException {
        ImageTraces imageTraces = new ImageTraces(
                images,
                tracer,
                traces,
                service.lookups.hasService(),
                registryTraces,
                config.containerd(),
                config.root().resolve("traces"));
        StatusReport status = new StatusReport(new StatusReport.Parts(
                version(),
                disk.store,
                disk.plans,
                planned.plans,
                planned.pulls,
                planned.gate,
                service.lookups,
                catalogue,
                disk.ways,
                disk.events));
        RuntimeBases bases = new RuntimeBases(service.bulk, planned.pulls, disk.plans);
        closing.add(ControlServer.start(
                config.nodeSocket(), new NodeControl(status, images, imageTraces, bases, storage, stop).handlers()));
    }

    private void serveMetrics(InetSocketAddress address) throws IOException {
        NodeMetrics metrics = new NodeMetrics(List.of(
                new AgentMetrics(version(), disk.planner.way().label(), disk.plans, disk.events),
                planned.startMetrics.orElseThrow(),
                planned.pullMetrics.orElseThrow(),
                new DemandMetrics(planned.pulls),
                new CatalogueMetrics(catalogue),
                new StoreMetrics(disk.store, storage, disk.events),
                new ServiceMetrics(List.of(service.lookups, service.bulk), service.breaker, service.budget),
                new OutboxMetrics(Map.of("trace", traces.outbox(), "record", planned.journal.outbox()), disk.events),
                new GateMetrics(planned.gate)));
        MetricsServer served = closing.add(MetricsServer.start(metrics, address));
        disk.events.info("metrics", "for Prometheus at http:/" + served.address() + "/metrics");
    }

    private static Optional<SSLContext> registryTls(Optional<Path> authorities) throws IOException {
        return authorities.isPresent()
                ? Optional.of(TrustedAuthorities.with(authorities.get()).context())
                : Optional.empty();
    }

    private static String version() {
        @Nullable String version = Node.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }
}

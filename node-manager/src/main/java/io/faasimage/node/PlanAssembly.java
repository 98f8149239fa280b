package io.faasimage.node;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.concurrent.Closing;
import io.faasimage.linux.FileSystems;
import io.faasimage.node.catalogue.Background;
import io.faasimage.node.event.Events;
import io.faasimage.node.gate.GateConfig;
import io.faasimage.node.gate.GateSupervisor;
import io.faasimage.node.image.ContainerdChannel;
import io.faasimage.node.image.ContentManifests;
import io.faasimage.node.lazy.PlanRetention;
import io.faasimage.node.lazy.PlannedImages;
import io.faasimage.node.lookup.PlanSupply;
import io.faasimage.node.partial.PartialLayers;
import io.faasimage.node.partial.PartialProbe;
import io.faasimage.node.prefetch.PartialChoice;
import io.faasimage.node.prefetch.PieceUse;
import io.faasimage.node.prefetch.PlanConfig;
import io.faasimage.node.prefetch.PrefetchList;
import io.faasimage.node.prefetch.PrefetchPulls;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.record.OpenStarts;
import io.faasimage.node.record.RecordBuilder;
import io.faasimage.node.record.StartJournal;
import io.faasimage.node.record.StartRecorder;
import io.faasimage.node.record.StartSearch;
import io.faasimage.node.rootfs.GateViews;
import io.faasimage.node.rootfs.MountPlanner;
import io.faasimage.node.rootfs.PlanMounts;
import io.faasimage.node.rootfs.RootMounts;
import io.faasimage.node.snapshot.SnapshotterServer;
import io.faasimage.node.start.StartEvent.ObjectDemanded;
import io.faasimage.node.storage.Budgets;
import io.faasimage.node.storage.Checkpoints;
import io.faasimage.node.storage.Eviction;
import io.faasimage.node.storage.Pruning;
import io.faasimage.node.storage.StorageKeeper;
import io.faasimage.node.storage.UnusedPlans;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Planned images: pulls, records of starts, the gate, mounts, and the storage that all of these need. */
final class PlanAssembly implements Background {
    /** How long reads after a start count as a part of it. */
    private static final Duration START_WINDOW = Duration.ofSeconds(10);
    /** A later gate resumes the requests that this one does not answer. */
    private static final Duration GATE_WAIT = Duration.ofMinutes(2);

    final PlanConfig config;
    final Pulls pulls;
    final String nodeName;
    final StartJournal journal;
    final StartRecorder recorder;
    final GateSupervisor gate;
    final List<ContainerdChannel> containerds = new ArrayList<>();
    final PlannedImages plans;
    final StorageKeeper storage;
    final PrefetchPulls partial;
    private final AtomicReference<@Nullable PlannedImages> planned = new AtomicReference<>();
    private final AtomicReference<@Nullable SnapshotterServer> serving = new AtomicReference<>();
    private final Events events;
    private final Path root;
    private final Budgets budgets;

    PlanAssembly(NodeConfig config, DiskAssembly disk, ServiceAssembly service, Closing closing) throws IOException {
        this.config = PlanConfig.standard(config.start(), config.fill(), config.startup());
        this.events = disk.events;
        this.root = config.root();
        this.budgets = Budgets.of(config.budgets(), FileSystems.space(root).totalBytes());
        pulls = closing.add(new Pulls(
                service.bulk,
                disk.store,
                PullConfig.standard(config.backgroundRate()).withLookupLimit(config.lookupLimit()),
                events,
                disk.clock));
        nodeName = config.name();
        journal = closing.add(
                new StartJournal(StartJournal.below(config.root()), nodeName, service.reports, pulls, events));
        recorder = closing.add(new StartRecorder(
                START_WINDOW,
                new OpenStarts(disk.plans, pulls, disk.clock),
                new RecordBuilder(disk.plans, new StartSearch(disk.plans, pulls, events), config.start()),
                journal,
                events));
        pulls.demand().listen(demanded -> recorder.accept(new ObjectDemanded(demanded)));
        gate = closing.add(new GateSupervisor(gateConfig(config, disk.planner.way()), events, this::gateReplaced));
        PlanMounts mounts = mounts(config, disk.planner.way(), events);
        for (Path socket : config.containerds()) {
            containerds.add(closing.add(new ContainerdChannel(socket)));
        }
        PieceUse pieces = new PieceUse(
                partial(config, disk.planner.way()),
                new PartialLayers(root, root.resolve("gate"), disk.store, events),
                disk.plans,
                pulls,
                events);
        PlanSupply supply = new PlanSupply(service.lookups, disk.plans, pulls, this.config, pieces, recorder, events);
        partial = supply.startups();
        plans = closing.add(
                new PlannedImages(supply, new ContentManifests(containerds), mounts, gate, disk.planner.unsupported()));
        planned.set(plans);
        storage = closing.add(storage(disk));
        storage.start();
        closing.add(new Checkpoints(disk.store, disk.plans, pulls::awaitCalm, Checkpoints.Limits.USUAL, events))
                .start();
    }

    private StorageKeeper storage(DiskAssembly disk) {
        PlanRetention retention = plans.retention();
        return new StorageKeeper(
                new UnusedPlans(
                        disk.plans,
                        plans,
                        () -> Optional.ofNullable(serving.get()).flatMap(SnapshotterServer::claimedChains),
                        budgets,
                        events),
                new Eviction(
                        disk.store,
                        disk.plans,
                        retention,
                        () -> FileSystems.space(root).availableBytes(),
                        budgets,
                        events),
                new Pruning(disk.store, disk.plans, plans, events),
                budgets.pass(),
                events);
    }

    @Override
    public void awaitCalm(BooleanSupplier unless) throws InterruptedException {
        pulls.awaitCalm(unless);
    }

    @Override
    public boolean hasRoom() throws IOException {
        return FileSystems.space(root).availableBytes() > budgets.reserveBytes();
    }

    /** The operator's choice, as far as this kernel reads partial objects right. */
    private PartialChoice partial(NodeConfig config, MountPlanner.Way way) throws IOException {
        if (config.partial() == PartialChoice.NO || config.startup() != PrefetchList.TRACE) {
            return PartialChoice.NO;
        }
        Optional<String> problem = way.isNative()
                ? PartialProbe.problem(root)
                : Optional.of("the kernel does not mount root file systems by itself here");
        problem.ifPresent(reason -> events.fallback("partial", "large objects are used as a whole: " + reason));
        return problem.isPresent() ? PartialChoice.NO : config.partial();
    }

    /** Starts the gate, or adopts the one that runs. */
    void startGate() {
        gate.start();
        Thread.ofPlatform().name("partial-resume").daemon().start(this::resumePartial);
        plans.retention().resumeWhole();
        plans.requestStatements();
    }

    private void resumePartial() {
        try {
            gate.await(GATE_WAIT);
        } catch (IOException | RuntimeException e) {
            events.fallback("partial", "partial objects of running containers wait for the gate: " + Events.reason(e));
            return;
        }
        partial.resumePartial();
    }

    /** The snapshotter is served now. */
    void serve(SnapshotterServer server) {
        serving.set(server);
    }

    private void gateReplaced(boolean died) {
        PlannedImages images = planned.get();
        partial.layers().gateReplaced();
        if (images != null) {
            images.retention().gateReplaced(died);
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

    private static PlanMounts mounts(NodeConfig config, MountPlanner.Way way, Events events) throws IOException {
        RootMounts kernel = new RootMounts(config.root(), way == MountPlanner.Way.EROFS_FILE, events);
        return way == MountPlanner.Way.FUSE ? new GateViews(config.gateImages(), kernel) : kernel;
    }

    private static GateConfig gateConfig(NodeConfig config, MountPlanner.Way way) {
        boolean images = way == MountPlanner.Way.FUSE;
        return GateConfig.of(
                config.wholeGateCommand(images),
                config.root().resolve("gate"),
                images ? Optional.of(config.gateImages()) : Optional.empty(),
                config.gateSocket(),
                ServiceConfig.format(config.registry()),
                config.warmUp());
    }
}

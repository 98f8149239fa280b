package io.faasimage.node;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.concurrent.Closing;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.linux.FileSystems;
import io.faasimage.node.agent.metrics.PullMetrics;
import io.faasimage.node.agent.metrics.StartMetrics;
import io.faasimage.node.containerd.catalogue.Background;
import io.faasimage.node.containerd.image.ContainerdChannel;
import io.faasimage.node.containerd.image.ContentManifests;
import io.faasimage.node.containerd.image.ImageSources;
import io.faasimage.node.gate.GateConfig;
import io.faasimage.node.gate.GateSupervisor;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.lazy.PlanRetention;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.prefetch.PlanConfig;
import io.faasimage.node.plans.rootfs.GateViews;
import io.faasimage.node.plans.rootfs.MountPlanner;
import io.faasimage.node.plans.rootfs.PlanMounts;
import io.faasimage.node.plans.rootfs.RootMounts;
import io.faasimage.node.plans.storage.Budgets;
import io.faasimage.node.plans.storage.Checkpoints;
import io.faasimage.node.plans.storage.Eviction;
import io.faasimage.node.plans.storage.Pruning;
import io.faasimage.node.plans.storage.StorageKeeper;
import io.faasimage.node.plans.storage.UnusedPlans;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.PullListener;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.starts.record.StartJournal;
import io.faasimage.node.starts.record.StartRecorder;
import io.faasimage.node.starts.trace.LargeObjects;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Planned images: pulls, records of starts, the gate and mounts. */
final class PlanAssembly implements Background {
    /** How long reads after a start count as a part of it. */
    private static final Duration START_WINDOW = Duration.ofSeconds(10);

    final PlanConfig config;
    /** Present when there are metrics. */
    final Optional<PullMetrics> pullMetrics;
    /** Present when there are metrics. */
    final Optional<StartMetrics> startMetrics;

    final Pulls pulls;
    final String nodeName;
    final StartJournal journal;
    final StartRecorder recorder;
    final LargeObjects large;
    final RangeTraces ranges;
    final GateSupervisor gate;
    final List<ContainerdChannel> containerds = new ArrayList<>();
    /** The repositories that the images are from. */
    final ImageSources sources;

    final ContentManifests manifests;

    final PlannedImages plans;
    private final DiskAssembly disk;
    private final Events events;
    private final Path root;
    private final Budgets budgets;

    PlanAssembly(NodeConfig config, DiskAssembly disk, ServiceAssembly service, Closing closing) throws IOException {
        this.config = PlanConfig.standard(config.start(), config.fill(), config.startup());
        this.disk = disk;
        this.events = disk.events;
        this.root = config.root();
        this.budgets = Budgets.of(config.budgets(), FileSystems.space(root).totalBytes());
        pullMetrics = config.metrics().map(_ -> new PullMetrics());
        startMetrics = config.metrics().map(_ -> new StartMetrics());
        pulls = closing.add(new Pulls(
                service.bulk,
                disk.store,
                PullConfig.standard(config.backgroundRate()).withLookupLimit(config.lookupLimit()),
                pullMetrics.<PullListener>map(metrics -> metrics).orElse(PullListener.NONE),
                events,
                disk.clock));
        nodeName = config.name();
        journal = closing.add(new StartJournal(StartJournal.below(root), nodeName, service.reports, pulls, events));
        recorder = closing.add(new StartRecorder(
                START_WINDOW,
                disk.plans,
                pulls,
                config.start(),
                journal,
                startMetrics
                        .<Consumer<StartRecord>>map(metrics -> metrics::started)
                        .orElse(record -> {}),
                events,
                disk.clock));
        large = new PlannedLargeObjects(disk.plans, disk.store.packs());
        ranges = closing.add(new RangeTraces(
                service.lookups, this::top, chain -> !large.of(chain).isEmpty(), events));
        MountPlanner.Way way = disk.planner.way();
        gate = closing.add(new GateSupervisor(
                gateConfig(config, way),
                disk.store
                        .packs()
                        .map(packs -> OptionalInt.of(packs.descriptor()))
                        .orElse(OptionalInt.empty()),
                events));
        for (Path socket : config.containerds()) {
            containerds.add(closing.add(new ContainerdChannel(socket)));
        }
        sources = new ImageSources(containerds);
        manifests = new ContentManifests(containerds, sources);
        pulls.serve(disk.plans::loadIfHere);
        plans = closing.add(new PlannedImages(new PlannedImages.Parts(
                service.lookups,
                disk.plans,
                pulls,
                this.config,
                manifests,
                mounts(config, way),
                gate,
                disk.planner.unsupported(),
                event -> {
                    recorder.accept(event);
                    ranges.accept(event);
                },
                events)));
        closing.add(new Checkpoints(disk.store, disk.plans, pulls::awaitCalm, Checkpoints.Limits.USUAL, events))
                .start();
    }

    private Optional<ChainId> top(Digest plan) {
        return disk.plans.all().stream()
                .filter(stored -> stored.digest().equals(plan))
                .findFirst()
                .map(stored -> stored.top().chainId());
    }

    /** The keeper of the object store, not started; {@code claimed} gives the chains that containerd has. */
    StorageKeeper storage(Supplier<Optional<Set<ChainId>>> claimed) {
        PlanRetention retention = plans.retention();
        return new StorageKeeper(
                new UnusedPlans(disk.plans, plans, claimed, budgets, events),
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

    private PlanMounts mounts(NodeConfig config, MountPlanner.Way way) throws IOException {
        RootMounts kernel = new RootMounts(root, way == MountPlanner.Way.EROFS_FILE, events);
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

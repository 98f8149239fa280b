package io.faasimage.node;

import io.faasimage.api.concurrent.Closing;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.linux.MountProbe;
import io.faasimage.linux.ReadGuard;
import io.faasimage.node.containerd.image.ImageDocuments;
import io.faasimage.node.gate.GateSupervisor;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.plans.rootfs.MountPlanner;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.pack.PackProbe;
import io.faasimage.store.pack.Packs;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;

/** The parts of the agent that manage its disks, and the way in which it mounts root file systems. */
final class DiskAssembly {
    private static final int RECENT_EVENTS = 50;

    final InstantSource clock = InstantSource.system();
    final Events events;
    final MountPlanner planner;
    /** How planned images are mounted and stored, in words. */
    final String ways;

    final ObjectStore store;
    final PlanTrust trust;
    final PlanStore plans;

    DiskAssembly(NodeConfig config, Closing closing) throws IOException {
        Files.createDirectories(config.root());
        Files.createDirectories(config.run());
        events = new Events(RECENT_EVENTS, clock);
        planner = MountPlanner.choose(MountProbe.run(config.root()), config.mounts());
        if (planner.unsupported().isPresent()) {
            events.fallback("mount", planner.describe());
        } else {
            events.info("mount", planner.describe());
        }
        Optional<ReadGuard> guard = GateSupervisor.guardOf(config.gateSocket(), events);
        // Containers that read from packs must get their answers, whatever has changed meanwhile.
        Optional<String> problem = guard.isPresent() ? Optional.empty() : problem(config);
        String form = "prefetch lists are "
                + problem.map(reason -> "files, not packs: " + reason).orElse("packs");
        ways = planner.describe() + "; " + form;
        events.info("store", form);
        store = closing.add(ObjectStore.open(
                config.root(),
                "node",
                problem.isPresent()
                        ? Optional.empty()
                        : Optional.of(() -> Packs.open(config.root().resolve("packs"), guard))));
        trust = trust(config);
        plans = PlanStore.open(config.root(), trust, events, clock);
    }

    private Optional<String> problem(NodeConfig config) throws IOException {
        return planner.way().isNative()
                ? PackProbe.problem(config.root())
                : Optional.of("the kernel does not mount root file systems by itself");
    }

    private PlanTrust trust(NodeConfig config) throws IOException {
        if (config.planKeys().isEmpty()) {
            return PlanTrust.EVERY_PLAN;
        }
        VerifyingKeys keys = VerifyingKeys.read(config.planKeys());
        events.info(
                "plan",
                "plans are used if they are signed by "
                        + keys.ids().stream().map(Digest::toString).collect(Collectors.joining(" or ")));
        return new PlanTrust(Optional.of(keys), ImageDocuments.platform());
    }
}

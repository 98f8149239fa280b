package io.faasimage.node;

import io.faasimage.api.concurrent.Closing;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.VerifyingKeys;
import io.faasimage.linux.MountProbe;
import io.faasimage.node.containerd.image.ImageDocuments;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.plans.rootfs.MountPlanner;
import io.faasimage.store.ObjectStore;
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
        store = closing.add(ObjectStore.open(config.root(), "node"));
        trust = trust(config);
        plans = PlanStore.open(config.root(), trust, events, clock);
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

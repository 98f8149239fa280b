package io.faasimage.node.plans.lazy;

import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.link.start.StartEvents;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.plans.prefetch.PlanConfig;
import io.faasimage.node.plans.rootfs.PlanMounts;
import io.faasimage.node.plans.rootfs.RootMounts;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.Pulls;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The planned images of a node in a test's directory, with the stores and pulls below them.
 *
 * @param store of objects
 * @param plans on the disk
 * @param pulls of objects
 * @param images the planned images under test
 */
public record TestNode(ObjectStore store, PlanStore plans, Pulls pulls, PlannedImages images) implements AutoCloseable {

    /** A node below {@code root}, which is not opened yet. */
    public static Setup in(Path root, Events events) {
        return new Setup(root, events);
    }

    /** The settings of a node in a test; the usual ones where it sets none. */
    public static final class Setup {
        private final Path root;
        private final Events events;
        private InstantSource clock = InstantSource.system();
        private PulledManifests manifests = PulledManifests.NAMED;
        private Optional<PlanMounts> mounts = Optional.empty();
        private GateReadiness gate = new OpenGate();
        private PlanTrust trust = PlanTrust.EVERY_PLAN;
        private PlanConfig config = PlanConfig.standard();
        private Optional<String> unsupported = Optional.empty();

        private Setup(Path root, Events events) {
            this.root = root;
            this.events = events;
        }

        /** The clock of the uses of plans. */
        public Setup clock(InstantSource other) {
            clock = other;
            return this;
        }

        /** The manifests of the images that are pulled. */
        public Setup manifests(PulledManifests other) {
            manifests = other;
            return this;
        }

        /** Mounts other than the kernel's. */
        public Setup mounts(PlanMounts other) {
            mounts = Optional.of(other);
            return this;
        }

        /** A gate other than one that always serves. */
        public Setup gate(GateReadiness other) {
            gate = other;
            return this;
        }

        /** The keys that must have signed plans. */
        public Setup trust(PlanTrust other) {
            trust = other;
            return this;
        }

        /** Other limits. */
        public Setup config(PlanConfig other) {
            config = other;
            return this;
        }

        /** Why planned images cannot be mounted; empty when they can. */
        public Setup unsupported(Optional<String> other) {
            unsupported = other;
            return this;
        }

        /** Opens the node, which sends its requests over {@code link}. */
        public TestNode open(ServiceLink link) throws IOException {
            ObjectStore store = ObjectStore.open(root, "node");
            PlanStore plans = PlanStore.open(root, trust, events, clock);
            Pulls pulls = new Pulls(link, store, PullConfig.standard(0), events, InstantSource.system());
            PlanMounts rootMounts = mounts.isPresent() ? mounts.get() : new RootMounts(root, true, events);
            return new TestNode(
                    store,
                    plans,
                    pulls,
                    new PlannedImages(new PlannedImages.Parts(
                            link,
                            plans,
                            pulls,
                            config,
                            manifests,
                            rootMounts,
                            gate,
                            unsupported,
                            StartEvents.NONE,
                            events)));
        }
    }

    private static final class OpenGate implements GateReadiness {
        @Override
        public void await(Duration limit) {}

        @Override
        public Optional<String> downFor(Duration span) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        images.close();
        pulls.close();
        store.close();
    }
}

package io.faasimage.node.plans.prefetch;

import io.faasimage.api.image.StartMode;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.plans.partial.PartialLayers;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The decision whether a start uses pieces of large objects. Thread-safe. */
public final class PieceUse {
    /** With more bytes per second, whole objects are as fast: the mount costs the time that the network saves. */
    private static final long FAST = 25_000_000;
    /** A shorter pull says nothing about the network. */
    private static final long LEAST_BYTES = 4 << 20;

    private final PartialChoice choice;
    private final PartialLayers layers;
    private final PlanStore plans;
    private final Pulls pulls;
    private final Events events;

    /** Decides by {@code choice}; {@code layers} are those of this node. */
    public PieceUse(PartialChoice choice, PartialLayers layers, PlanStore plans, Pulls pulls, Events events) {
        this.choice = choice;
        this.layers = layers;
        this.plans = plans;
        this.pulls = pulls;
        this.events = events;
    }

    /** Large objects of the node below {@code root} are always whole. */
    public static PieceUse none(Path root, PlanStore plans, Pulls pulls, Events events) throws IOException {
        PartialLayers layers = new PartialLayers(root, root.resolve("gate"), pulls.store(), events);
        return new PieceUse(PartialChoice.NO, layers, plans, pulls, events);
    }

    PartialLayers layers() {
        return layers;
    }

    /** Whether pieces are wanted of plans that have them. */
    public boolean isWanted() {
        return switch (choice) {
            case NO -> false;
            case YES -> true;
            case AUTO -> isSlow(pulls.finished());
        };
    }

    /** Whether the network was the limit of the last pulls that say something about it: the fastest of them counts. */
    private static boolean isSlow(List<PullReport> finished) {
        double fastest = finished.stream()
                .filter(report -> report.wireBytes() >= LEAST_BYTES)
                .mapToDouble(report -> report.wireBytes() / seconds(report.took()))
                .max()
                .orElse(FAST);
        return fastest < FAST;
    }

    private static double seconds(Duration took) {
        return Math.max(1, took.toMillis()) / 1000.0;
    }

    /** Whether containers of this plan start with pieces. */
    boolean isFor(StoredPlan plan, StartMode start) {
        if (start != StartMode.EARLY || !(layers.isPartial(plan.digest()) || isWanted())) {
            return false;
        }
        try {
            Plan loaded = plans.load(plan.digest());
            return isUsable(loaded) && isMissing(loaded);
        } catch (IOException e) {
            events.error("partial", "plan " + plan.digest() + " cannot be read: " + Events.reason(e));
            return false;
        }
    }

    /** A pack has the last chunk of each object, and all have chunks of one size. */
    private static boolean isUsable(Plan plan) {
        return !plan.pieced().isEmpty()
                && plan.pieced().stream()
                        .allMatch(pieced ->
                                pieced.chunkBits() == plan.pieced().getFirst().chunkBits()
                                        && hasLast(pieced, plan.objects().get(pieced.object())));
    }

    private static boolean hasLast(PiecedObject pieced, PlanObject object) {
        List<IndexRange> chunks = pieced.startupChunks();
        return !chunks.isEmpty()
                && object.size() > pieced.chunkBytes()
                && chunks.getLast().to() == ((object.size() - 1) >>> pieced.chunkBits()) + 1;
    }

    /** Whether most bytes of the large objects are still to come. */
    private boolean isMissing(Plan plan) {
        long all = 0;
        long missing = 0;
        for (PiecedObject pieced : plan.pieced()) {
            PlanObject object = plan.objects().get(pieced.object());
            all += object.size();
            missing += pulls.store().has(object.digest()) ? 0 : object.size();
        }
        return missing > all / 2;
    }
}

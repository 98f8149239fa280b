package io.faasimage.node.plan;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Marks of plans on the local disk: {@code <hex>.complete}, the prefetch list was present once, {@code <hex>.whole},
 * that all of the image must stay on this node, and {@code warmed}, that it has objects which no plan names.
 * Thread-safe.
 */
public final class PlanMarks {
    private static final String COMPLETE = ".complete";
    private static final String WARMED = "warmed";
    private static final String TOPIC = "plan";

    private final Path plans;
    private final PlanUses uses;
    private final Events events;
    /** Plans whose prefetch lists are present, but perhaps not yet on the disk. */
    private final Set<Digest> held = ConcurrentHashMap.newKeySet();

    PlanMarks(Path plans, PlanUses uses, Events events) {
        this.plans = plans;
        this.uses = uses;
        this.events = events;
    }

    /** Reads which prefetch lists are present: a start needs that of every plan here. */
    void load() throws IOException {
        try (DirectoryStream<Path> markers = Files.newDirectoryStream(plans, "*" + COMPLETE)) {
            for (Path marker : markers) {
                String name = String.valueOf(marker.getFileName());
                PlanStore.digestOf(name.substring(0, name.length() - COMPLETE.length()))
                        .ifPresent(held::add);
            }
        }
    }

    /** Remembers that the whole prefetch list of a plan is present, as long as this process lives. */
    public void noteComplete(Digest digest) {
        held.add(digest);
    }

    /** Remembers that the whole prefetch list of a plan is present, and on the disk. */
    public void markComplete(Digest digest) throws IOException {
        held.add(digest);
        if (!Files.exists(marker(digest))) {
            AtomicFile.publishSynced(marker(digest), out -> {});
        }
    }

    /** Whether the prefetch list of a plan was present once. */
    public boolean isComplete(Digest digest) {
        return held.contains(digest);
    }

    /** Takes the mark away: something of the prefetch list is missing. */
    public void unmarkComplete(Digest digest) throws IOException {
        held.remove(digest);
        Files.deleteIfExists(marker(digest));
    }

    /** Containers that cannot fetch anything any more run on this plan. */
    public void markWhole(Digest digest) throws IOException {
        if (!isWhole(digest)) {
            AtomicFile.publishSynced(wholeMarker(digest), out -> {});
        }
    }

    /** Whether objects of this plan must stay as long as its containers do. */
    public boolean isWhole(Digest digest) {
        return Files.exists(wholeMarker(digest));
    }

    void unmarkWhole(Digest digest) throws IOException {
        Files.deleteIfExists(wholeMarker(digest));
    }

    /**
     * Records that the base of a runtime was pulled without a plan of its own: objects without a plan were used now.
     */
    public void markWarmed() {
        byte[] number = Long.toString(uses.newest()).getBytes(StandardCharsets.US_ASCII);
        try {
            AtomicFile.publish(plans.resolve(WARMED), out -> out.write(number));
        } catch (IOException e) {
            events.error(TOPIC, "could not record that a runtime's base is present: " + Events.reason(e));
        }
    }

    /** How many of these plans, the least recently used first, were used before the objects without a plan. */
    public int unplannedPlace(List<Digest> order) {
        long warmed;
        try {
            warmed = Long.parseLong(Files.readString(plans.resolve(WARMED)));
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return (int) order.stream().filter(plan -> uses.last(plan) <= warmed).count();
    }

    /** Objects that no plan here has were dropped. */
    public void unmarkWarmed() throws IOException {
        Files.deleteIfExists(plans.resolve(WARMED));
    }

    /** Whether objects of prefetch lists are present that belong to no complete plan. */
    public boolean isWarmed() {
        return Files.exists(plans.resolve(WARMED));
    }

    /** Removes the marks of a plan that is removed. */
    void remove(Digest digest) throws IOException {
        unmarkComplete(digest);
        unmarkWhole(digest);
    }

    private Path wholeMarker(Digest digest) {
        return plans.resolve(digest.hex() + ".whole");
    }

    private Path marker(Digest digest) {
        return plans.resolve(digest.hex() + COMPLETE);
    }
}

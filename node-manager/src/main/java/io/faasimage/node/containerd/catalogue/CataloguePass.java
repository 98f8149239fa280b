package io.faasimage.node.containerd.catalogue;

import io.faasimage.node.containerd.image.CataloguedImages;
import io.faasimage.node.containerd.image.ImageDocuments;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceBusyException;
import io.faasimage.node.link.service.ServiceDownException;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.StoredPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One pass over the wanted images: each that is missing is made ready, and gives way to starts. For one thread. */
final class CataloguePass {
    private static final String TOPIC = "catalogue";
    /** After so many failures of one OCI registry its other images wait for the next pass. */
    private static final int MOST_FAILURES = 3;
    /** After that, an image is made ready on a node that is never calm. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Parts parts;
    private final List<NamespaceImages> namespaces;
    private final Map<String, Integer> failures = new HashMap<>();
    private final Set<String> kept = new HashSet<>();
    private int ready;
    private long bytes;
    private boolean room = true;

    /**
     * The collaborators of a pass.
     *
     * @param plans of images
     * @param stored those on the local disk
     * @param images in containerd
     * @param background permission for background work
     * @param delays of images that failed
     * @param events receives failures
     */
    record Parts(
            PlannedImages plans,
            PlanStore stored,
            CataloguedImages images,
            Background background,
            Delays delays,
            Events events) {}

    CataloguePass(Parts parts, List<NamespaceImages> namespaces) {
        this.parts = parts;
        this.namespaces = List.copyOf(namespaces);
    }

    /**
     * Makes images ready, in this order, as long as their plans and metadata images have no more than {@code most}
     * bytes.
     *
     * @throws IOException when the service or the local disk fails; finished images stay ready
     */
    void makeReady(List<WantedImage> wanted, long most) throws IOException, InterruptedException {
        for (WantedImage image : wanted) {
            Optional<StoredPlan> plan = plan(image);
            long more = plan.isPresent() ? parts.stored().bytes(plan.get()) : 0;
            if (bytes + more > most) {
                return;
            }
            kept.add(image.name());
            bytes += more;
            if (plan.isPresent()) {
                makeReady(image);
            }
        }
    }

    private Optional<StoredPlan> plan(WantedImage image) throws IOException, InterruptedException {
        Optional<StoredPlan> here = parts.plans().here(image.manifest());
        if (here.isPresent() || !mayTry(image)) {
            return here;
        }
        giveWay();
        try {
            return Optional.of(parts.plans().withoutObjects(image.manifest()));
        } catch (ServiceDownException | ServiceBusyException e) {
            throw e;
        } catch (IOException e) {
            failed(image, e);
            return Optional.empty();
        }
    }

    private void makeReady(WantedImage image) throws IOException, InterruptedException {
        List<NamespaceImages> missing =
                namespaces.stream().filter(namespace -> namespace.lacks(image)).toList();
        if (missing.isEmpty()) {
            isReady(image);
        } else if (mayTry(image)) {
            giveWay();
            try {
                ImageDocuments documents = parts.images().resolve(image.reference(), image.manifest());
                for (NamespaceImages namespace : missing) {
                    namespace.add(image, documents);
                }
                isReady(image);
            } catch (IOException e) {
                failed(image, e);
                for (NamespaceImages namespace : missing) {
                    removeStale(namespace, image);
                }
            }
        }
    }

    /** The name stands for another image now than the one that it was kept for. */
    private static void removeStale(NamespaceImages namespace, WantedImage image) throws IOException {
        if (namespace.lacks(image)) {
            namespace.remove(image.name());
        }
    }

    private void isReady(WantedImage image) {
        parts.delays().clear(image.name());
        failures.remove(image.reference().registry());
        ready++;
    }

    private boolean mayTry(WantedImage image) throws IOException {
        if (!parts.delays().isDue(image.name())
                || failures.getOrDefault(image.reference().registry(), 0) >= MOST_FAILURES) {
            return false;
        }
        room = parts.background().hasRoom();
        return room;
    }

    private void giveWay() throws InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        parts.background().awaitCalm(() -> System.nanoTime() - end >= 0);
    }

    private void failed(WantedImage image, IOException reason) throws InterruptedException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException("the agent ends");
        }
        failures.merge(image.reference().registry(), 1, Integer::sum);
        if (parts.delays().failed(image.name(), Events.reason(reason))) {
            parts.events().fallback(TOPIC, image.name() + " is not kept ready: " + Events.reason(reason));
        }
    }

    /** Names of the images that are to stay, ready or not. */
    Set<String> kept() {
        return kept;
    }

    /** The findings; {@code all} images are listed by the service. */
    Kept result(int all) {
        return new Kept(kept.size(), ready, bytes, kept.size() < all, room);
    }
}

package io.faasimage.node.containerd.catalogue;

import io.faasimage.api.client.CatalogueList;
import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.api.function.CatalogueImage;
import io.faasimage.node.containerd.catalogue.CataloguePass.Parts;
import io.faasimage.node.containerd.image.CataloguedImages;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.plans.lazy.PlannedImages;
import io.faasimage.node.plans.plan.PlanStore;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The catalogue of this node: images of the service's functions that are kept ready in containerd, so that their starts
 * begin with the container. It is filled and emptied in the background, on one thread, and gives way to starts. While
 * the service is away, it stays as it is. Thread-safe.
 */
public final class Catalogue implements AutoCloseable {
    private static final String TOPIC = "catalogue";
    private static final int SHOWN_FAILURES = 10;
    private static final String NO_ROOM = "nothing is added: less of the disk is free than --disk-reserve says";

    private final CatalogueConfig config;
    private final ServiceLink service;
    private final CatalogueKeeper keeper;
    private final Delays delays;
    private final InstantSource clock;
    private final Events events;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("catalogue").daemon().factory());
    private @Nullable CatalogueList list;
    private boolean swept;
    private volatile Kept kept = Kept.NOTHING;
    private volatile @Nullable Instant refreshed;
    /** Why nothing is added or removed now. */
    private volatile @Nullable String problem;

    /**
     * A catalogue; empty before {@link #start}.
     *
     * @param service that lists the images
     */
    public Catalogue(
            CatalogueConfig config,
            ServiceLink service,
            PlannedImages plans,
            PlanStore stored,
            CataloguedImages images,
            Background background,
            InstantSource clock,
            Events events) {
        this.config = config;
        this.service = service;
        this.clock = clock;
        this.events = events;
        this.delays = new Delays(clock, RandomGenerator.getDefault());
        this.keeper = new CatalogueKeeper(config, new Parts(plans, stored, images, background, delays, events));
    }

    /** Begins, in the background. A catalogue that is off removes images of an earlier process with other settings. */
    public void start() {
        var _ = thread.scheduleWithFixedDelay(this::pass, 0, CatalogueConfig.PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void pass() {
        try {
            if (!swept) {
                keeper.removeFromOtherNamespaces();
                swept = true;
            }
            if (config.images() > 0) {
                kept = keeper.keep(images());
                problem = kept.room() ? null : NO_ROOM;
            } else {
                thread.shutdown();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException | Error e) {
            // A task that throws is not run again.
            failed(e);
        }
    }

    private List<CatalogueImage> images() throws IOException {
        Optional<CatalogueList> newer =
                service.catalogue(Optional.ofNullable(list).map(CatalogueList::tag));
        CatalogueList now = newer.or(() -> Optional.ofNullable(list)).orElseThrow();
        list = now;
        refreshed = clock.instant();
        return now.images();
    }

    /** Once for each time, and not of one that is off: many nodes have no containerd at first. */
    private void failed(Throwable reason) {
        String text = Events.reason(reason);
        if (problem == null && config.images() > 0) {
            events.fallback(TOPIC, "nothing is added or removed now: " + text);
        }
        problem = text;
    }

    /** The images that are kept, as of the last pass. */
    public Kept kept() {
        return kept;
    }

    /** The status; empty when the catalogue is off. */
    public Optional<NodeStatus.Catalogue> status() {
        if (config.images() == 0) {
            return Optional.empty();
        }
        Kept now = kept;
        List<String> reasons = delays.reasons();
        return Optional.of(new NodeStatus.Catalogue(
                now.wanted(),
                now.ready(),
                now.bytes(),
                refreshed,
                now.full(),
                problem,
                reasons.size(),
                reasons.isEmpty()
                        ? null
                        : reasons.stream().limit(SHOWN_FAILURES).toList()));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

package io.faasimage.node.lookup;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.event.Events;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.prefetch.PieceUse;
import io.faasimage.node.prefetch.PlanConfig;
import io.faasimage.node.prefetch.PrefetchPulls;
import io.faasimage.node.prefetch.WholePlans;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.service.ServiceLink;
import io.faasimage.node.start.StartEvent;
import io.faasimage.node.start.StartEvents;
import java.util.Optional;

/**
 * The supply of a node with plans and their objects: those on the disk, those of the registry service, and the pulls
 * that fetch them. Thread-safe.
 */
public final class PlanSupply implements AutoCloseable {
    private final PlanStore plans;
    private final Pulls pulls;
    private final PlanConfig config;
    private final StartEvents starts;
    private final Events events;
    private final PrefetchPulls startups;
    private final WholePlans wholePlans;
    private final PlanLookup lookup;
    private final PlanRefresh refresh;
    private final StatementRequests statements;

    /**
     * A supply over {@code link}, which has short time limits.
     *
     * @param plans on the local disk
     * @param pulls the pull engine
     * @param pieces whether pieces of large objects are used
     * @param starts receive the events of starts
     * @param events receives fall-backs
     */
    public PlanSupply(
            ServiceLink link,
            PlanStore plans,
            Pulls pulls,
            PlanConfig config,
            PieceUse pieces,
            StartEvents starts,
            Events events) {
        this.plans = plans;
        this.pulls = pulls;
        this.config = config;
        this.starts = starts;
        this.events = events;
        this.startups = new PrefetchPulls(plans, pulls, events, config, pieces, this::forgotten);
        this.wholePlans = new WholePlans(startups, plans, pulls.store(), events);
        this.lookup = new PlanLookup(link, pulls, plans, events, config, startups::forStart, pieces::isWanted, starts);
        this.statements = new StatementRequests(link, plans, events);
        this.refresh = new PlanRefresh(link, plans, lookup, events, plan -> startups.forStart(plan, Optional.empty()));
    }

    /** The service does not know this plan any more: the current one is pulled instead. */
    private void forgotten(StoredPlan plan) {
        refresh.request(plan.top().chainId());
    }

    /** Plans on the local disk. */
    public PlanStore plans() {
        return plans;
    }

    /** The pull engine. */
    public Pulls pulls() {
        return pulls;
    }

    /** The limits. */
    public PlanConfig config() {
        return config;
    }

    /** The pulls that plans need. */
    public PrefetchPulls startups() {
        return startups;
    }

    /** The pulls of everything, for containers without a gate. */
    public WholePlans wholePlans() {
        return wholePlans;
    }

    /** Requests to the registry for plans. */
    public PlanLookup lookup() {
        return lookup;
    }

    /** Requests the newest plan of the image with this top soon. Returns at once. */
    public void refresh(ChainId top) {
        refresh.request(top);
    }

    /** Requests, in the background, the statements that plans of this node need and do not have. Returns at once. */
    public void requestStatements() {
        statements.start();
    }

    /** Reports something to the starts that it is a part of. */
    public void report(StartEvent event) {
        starts.accept(event);
    }

    /** Fall-backs and errors. */
    public Events events() {
        return events;
    }

    /** Ends the work in the background. */
    @Override
    public void close() {
        statements.close();
        refresh.close();
        wholePlans.close();
        startups.layers().close();
        startups.close();
    }
}

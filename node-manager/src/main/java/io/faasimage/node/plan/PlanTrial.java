package io.faasimage.node.plan;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.event.Events;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.registry.RegistryLink;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Looks a plan up and pulls it, as a start would, without any mounts. For rehearsals. */
public final class PlanTrial {
    private final RegistryLink link;
    private final Pulls pulls;
    private final PlanStore plans;
    private final ObjectStore store;
    private final Events events;

    /** A trial over these parts. */
    public PlanTrial(RegistryLink link, Pulls pulls, PlanStore plans, ObjectStore store, Events events) {
        this.link = link;
        this.pulls = pulls;
        this.plans = plans;
        this.store = store;
        this.events = events;
    }

    /** The report of the pull of the whole start-up set. */
    public CompletableFuture<PullReport> pull(ChainId chain) throws IOException {
        PlanConfig config = PlanConfig.standard();
        try (StartupPulls startups = new StartupPulls(plans, pulls, store, events, config)) {
            PlanLookup lookup = new PlanLookup(link, pulls, plans, events, config, startups::startup);
            StoredPlan plan = lookup.ask(chain)
                    .plan()
                    .orElseThrow(() -> new IOException("the made-up registry does not know its plan"));
            return startups.startup(plan)
                    .map(Pull::done)
                    .orElseGet(() ->
                            CompletableFuture.completedFuture(pulls.finished().getLast()));
        }
    }
}

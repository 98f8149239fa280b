package io.faasimage.node.plans.prefetch;

import io.faasimage.api.client.BundleStream;
import io.faasimage.api.function.RuntimeInfo;
import io.faasimage.api.image.BundleRequest;
import io.faasimage.api.image.BundleRequest.ObjectSet;
import io.faasimage.api.image.BundleRequest.Prefix;
import io.faasimage.format.bundle.BundleReader;
import io.faasimage.format.bundle.Frame;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.node.link.service.ServiceLink;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.Pull;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** Pulls of the objects that the functions of a language runtime share, before any of them starts here. Thread-safe. */
public final class RuntimeBases {
    private final ServiceLink link;
    private final Pulls pulls;
    private final PlanStore plans;

    /** Bases from the service behind {@code link}. */
    public RuntimeBases(ServiceLink link, Pulls pulls, PlanStore plans) {
        this.link = link;
        this.pulls = pulls;
        this.plans = plans;
    }

    /**
     * Starts the pull of a runtime's base segment, or returns the one that runs.
     *
     * @param runtime its name, such as {@code python3.12}
     * @throws IOException when the service does not answer, or knows no planned image with this runtime
     */
    public Pull warm(String runtime) throws IOException {
        RuntimeInfo info = link.runtime(runtime)
                .orElseThrow(() -> new IOException("no planned image has the runtime '" + runtime
                        + "'; 'faasimage runtimes' lists those that are known"));
        Digest digest = Digest.parse(info.plan());
        Pull pull = pulls.start(digest, () -> load(digest), Part.BASE);
        pull.whenDone(this::ended);
        return pull;
    }

    private void ended(PullReport report) {
        if (report.complete()) {
            plans.states().markWarmed();
        }
    }

    private Plan load(Digest digest) throws IOException {
        return plans.has(digest) ? plans.load(digest) : fetch(digest);
    }

    private Plan fetch(Digest digest) throws IOException {
        BundleRequest request = new BundleRequest(
                null,
                null,
                digest.toString(),
                List.of(),
                true,
                false,
                ObjectSet.STARTUP,
                List.of(),
                0L,
                Prefix.NEWEST,
                null,
                0);
        BundleStream stream =
                link.bundle(request).orElseThrow(() -> new IOException("the service does not have plan " + digest));
        try (InputStream in = pulls.guarded(stream.body(), bytes -> {})) {
            BundleReader bundle = new BundleReader(in);
            for (Optional<Frame> frame = bundle.next(); frame.isPresent(); frame = bundle.next()) {
                if (frame.get() instanceof Frame.PlanFrame frameOfPlan
                        && frameOfPlan.digest().equals(digest)) {
                    Plan plan = PlanCodec.decode(frameOfPlan.encoded());
                    var _ = plans.verified(digest, plan, stream.statement());
                    return plan;
                }
            }
        }
        throw new IOException("the service's answer does not have plan " + digest);
    }
}

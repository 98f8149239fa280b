package io.faasimage.registry.images.feedback;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Plan;
import io.faasimage.registry.platform.config.RegistrySettings;
import java.util.Set;
import org.springframework.stereotype.Component;

/** The feedback of starts of an image about its plan. Thread-safe. */
@Component
public class Feedback {
    private final MissTable misses;
    private final int missStarts;

    Feedback(MissTable misses, RegistrySettings settings) {
        this.misses = misses;
        this.missStarts = settings.feedback().missStarts();
    }

    /** The plan with all objects in its prefetch list that enough starts missed; the same plan when there are none. */
    public Plan applied(Plan plan) {
        return ExtendedPlan.of(plan, misses.of(plan.image(), missStarts));
    }

    /** The objects of an image that starts missed. */
    public Set<Digest> missed(Digest image) {
        return misses.of(image, 1);
    }
}

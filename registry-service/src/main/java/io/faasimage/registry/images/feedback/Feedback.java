package io.faasimage.registry.images.feedback;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.Plan;
import io.faasimage.registry.platform.config.RegistrySettings;
import io.faasimage.registry.store.object.ObjectFrameTables;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/** The feedback of starts of an image about its plan. Thread-safe. */
@Component
public class Feedback {
    private final MissTable misses;
    private final ObjectFrameTables frames;
    private final int missStarts;

    Feedback(MissTable misses, ObjectFrameTables frames, RegistrySettings settings) {
        this.misses = misses;
        this.frames = frames;
        this.missStarts = settings.feedback().missStarts();
    }

    /**
     * The plan with all objects in its prefetch list that enough starts missed; the same plan when there are none.
     *
     * @param packed frames of objects that are not stored yet
     */
    public Plan applied(Plan plan, Map<Digest, ObjectFrames> packed) throws IOException {
        return ExtendedPlan.of(plan, misses.of(plan.image(), missStarts), wanted -> {
            Map<Digest, ObjectFrames> found = new HashMap<>(packed);
            found.putAll(frames.of(wanted.stream()
                    .filter(object -> !packed.containsKey(object))
                    .toList()));
            return found;
        });
    }

    /** The objects of an image that starts missed. */
    public Set<Digest> missed(Digest image) {
        return misses.of(image, 1);
    }
}

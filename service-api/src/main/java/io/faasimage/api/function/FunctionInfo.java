package io.faasimage.api.function;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.image.StartMode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A registered function.
 *
 * @param name unique name
 * @param image reference as registered
 * @param digest manifest digest that it was resolved to, {@code sha256:...}
 * @param runtime as registered
 * @param readiness as registered
 * @param start as registered; null: as the node is set
 * @param fill as registered; null: as the node is set
 * @param state of its image
 * @param pinned digest of the plan that nodes get until the function is unpinned; null: the newest
 * @param created time of registration
 */
public record FunctionInfo(
        String name,
        String image,
        String digest,
        @Nullable String runtime,
        @Nullable Readiness readiness,
        @Nullable StartMode start,
        @Nullable FillMode fill,
        ImageState state,
        @Nullable String pinned,
        Instant created) {}

package io.faasimage.api.function;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.Readiness;
import io.faasimage.api.image.StartMode;
import org.jspecify.annotations.Nullable;

/**
 * Registration of a function: {@code POST /v1/functions}.
 *
 * @param name of the function, 1 to 253 of {@code a-z 0-9 . _ -}
 * @param image reference as the platform deploys it
 * @param runtime name of a runtime whose image is the base segment, when known
 * @param readiness the probe that ends a start; null: the start ends when it becomes quiet
 * @param start when its containers start; null: as the node is set
 * @param fill when the rest of its image is fetched after a start; null: as the node is set
 */
public record FunctionRequest(
        String name,
        String image,
        @Nullable String runtime,
        @Nullable Readiness readiness,
        @Nullable StartMode start,
        @Nullable FillMode fill) {
    /** Leaves start and fill to the nodes. */
    public FunctionRequest(String name, String image, @Nullable String runtime, @Nullable Readiness readiness) {
        this(name, image, runtime, readiness, null, null);
    }
}

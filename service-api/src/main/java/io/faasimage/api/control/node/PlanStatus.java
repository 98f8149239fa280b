package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A plan on a node.
 *
 * @param plan its digest
 * @param image digest of the manifest that it was made for
 * @param chain chain ID of the whole image
 * @param layers of the image
 * @param received when it came
 * @param complete whether all its objects were on the node once
 * @param missing objects that are still fetched for containers whose gate has ended; null when there are none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PlanStatus(
        @Nullable String plan,
        @Nullable String image,
        @Nullable String chain,
        int layers,
        @Nullable Instant received,
        boolean complete,
        @Nullable Long missing) {}

package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a {@link WarmRequest}. Of an image there is the plan alone, since its pull continues.
 *
 * @param plan whose objects are fetched
 * @param runtime language runtime whose base is present
 * @param held objects that were present before
 * @param objects fetched
 * @param bytes of these, compressed
 * @param millis that it took
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WarmOutcome(
        @Nullable String plan,
        @Nullable String runtime,
        @Nullable Integer held,
        @Nullable Integer objects,
        @Nullable Long bytes,
        @Nullable Long millis) {
    /** The pull of the start-up set of {@code plan} has begun. */
    public static WarmOutcome begun(String plan) {
        return new WarmOutcome(plan, null, null, null, null, null);
    }
}

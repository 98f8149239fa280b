package io.faasimage.registry.view;

import io.faasimage.api.ImageState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A page of functions: {@code GET /v1/views/functions}.
 *
 * @param functions of this page, by name
 * @param query what their name or image contains; empty for all
 * @param state that their image has; null for all
 * @param states how many functions that fit the query there are in each state
 */
public record FunctionList(
        Slice<FunctionSummary> functions,
        String query,
        @Nullable ImageState state,
        Map<ImageState, Long> states) {
    /** Copies the map. */
    public FunctionList {
        states = Map.copyOf(states);
    }
}

package io.faasimage.registry.functions.function;

import io.faasimage.api.image.ImageState;
import io.faasimage.registry.platform.list.Slice;
import org.jspecify.annotations.Nullable;

/**
 * A page of functions: {@code GET /v1/views/functions}.
 *
 * @param functions of this page, by name
 * @param query text in their name or image; empty for all
 * @param state that their image has; null for all
 */
public record FunctionList(
        Slice<FunctionSummary> functions,
        String query,
        @Nullable ImageState state) {}

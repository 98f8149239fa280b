package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A request to fetch an image's layers into containerd's content store.
 *
 * @param image reference
 * @param namespace of containerd; its default when null
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ContentRequest(
        @Nullable String image, @Nullable String namespace) {}

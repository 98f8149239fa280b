package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * A request to pull an image into containerd.
 *
 * @param image reference
 * @param namespace of containerd; its default when null
 * @param waits whether to wait for the whole prefetch list, not only until containers may start
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PullRequest(
        @Nullable String image,
        @Nullable String namespace,
        @JsonProperty("wait") boolean waits) {}

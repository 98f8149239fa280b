package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to start an image once and to trace the start.
 *
 * @param image reference
 * @param namespace of containerd; its default when null
 * @param arguments for the container instead of the image's own; empty or null for those
 * @param hostNetwork whether the container uses the node's network
 * @param limitSeconds when the start is over at the latest; the agent's default when null
 * @param readinessPort port of the readiness probe; as registered when null or 0
 * @param readinessPath path of the readiness probe
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ImageTraceRequest(
        @Nullable String image,
        @Nullable String namespace,
        @Nullable List<String> arguments,
        boolean hostNetwork,
        @Nullable Integer limitSeconds,
        @Nullable Integer readinessPort,
        @Nullable String readinessPath) {
    public ImageTraceRequest {
        arguments = arguments == null ? null : List.copyOf(arguments);
    }
}

package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A request to fetch a prefetch list ahead of starts: that of one image, or the base of a language runtime.
 *
 * @param chain chain ID of the image; its pull is begun and not waited for
 * @param runtime such as {@code python3.12}, when no chain is given; the pull of its base is waited for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record WarmRequest(@Nullable String chain, @Nullable String runtime) {
    /** For an image. */
    public static WarmRequest ofChain(String chain) {
        return new WarmRequest(chain, null);
    }

    /** For a language runtime. */
    public static WarmRequest ofRuntime(String runtime) {
        return new WarmRequest(null, runtime);
    }
}

package io.faasimage.api.job;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part {@code metadata} of {@code POST /v1/functions} with an archive of code.
 *
 * @param name of the function, 1 to 253 of {@code a-z 0-9 . _ -}
 * @param runtime language and version, such as {@code python3.12}, or the language alone
 * @param memory of its containers, as {@code 128Mi}; null when it was not said
 * @param environment variables of the function; null for none
 * @param tag of its image; null for {@code latest}
 * @param start when its containers start; null: as the node is set
 * @param fill what happens to the rest of its image after a start; null: as the node is set
 * @param fresh whether libraries are installed although an earlier build had the same dependencies; null: no
 */
public record BuildRequest(
        String name,
        String runtime,
        @Nullable String memory,
        @Nullable Map<String, String> environment,
        @Nullable String tag,
        @Nullable StartMode start,
        @Nullable FillMode fill,
        @Nullable Boolean fresh) {}

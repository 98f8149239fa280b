package io.faasimage.api.tenant;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant may use; null where there is no limit.
 *
 * @param functions that may be registered
 * @param storedBytes of packs and metadata images, above which no image is refactored and no function registered
 * @param builds that may wait or run at the same time
 * @param requests a second at one service, on average over ten seconds
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TenantQuotas(
        @Nullable Integer functions,
        @Nullable Long storedBytes,
        @Nullable Integer builds,
        @Nullable Integer requests) {
    /** No limits. */
    public static final TenantQuotas NONE = new TenantQuotas(null, null, null, null);

    /** Checks that none is negative, and that requests are possible at all. */
    public TenantQuotas {
        if ((functions != null && functions < 0)
                || (storedBytes != null && storedBytes < 0)
                || (builds != null && builds < 0)
                || (requests != null && requests < 1)) {
            throw new IllegalArgumentException("quotas must not be negative, and 'requests' must be 1 or more");
        }
    }
}

package io.faasimage.api.tenant;

import org.jspecify.annotations.Nullable;

/**
 * A tenant to create: {@code POST /v1/tenants}.
 *
 * @param name 1 to 40 lower-case letters, digits and hyphens
 * @param quotas what it may use; null for no limits
 */
public record TenantRequest(String name, @Nullable TenantQuotas quotas) {
    /** Name of the header by which an operator acts for a tenant. */
    public static final String HEADER = "Faasimage-Tenant";

    /** Refuses a request without a name. */
    public TenantRequest {
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("the tenant has no 'name'");
        }
    }
}

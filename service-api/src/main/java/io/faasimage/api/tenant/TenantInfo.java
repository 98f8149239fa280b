package io.faasimage.api.tenant;

import java.time.Instant;

/**
 * A tenant: {@code GET /v1/tenants}.
 *
 * @param name of it
 * @param quotas what it may use
 * @param created when
 */
public record TenantInfo(String name, TenantQuotas quotas, Instant created) {}

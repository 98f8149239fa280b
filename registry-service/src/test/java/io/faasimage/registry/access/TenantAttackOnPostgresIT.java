package io.faasimage.registry.access;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** As {@link TenantAttackTest}, on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class TenantAttackOnPostgresIT extends TenantAttackTest {}

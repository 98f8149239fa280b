package io.faasimage.registry.inspection;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** As {@link AuditHttpTest}, on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class AuditOnPostgresIT extends AuditHttpTest {}

package io.faasimage.registry.plan;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link PlanHttpTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class PlanOnPostgresIT extends PlanHttpTest {}

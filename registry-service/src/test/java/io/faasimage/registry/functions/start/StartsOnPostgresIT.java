package io.faasimage.registry.functions.start;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link StartsHttpTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class StartsOnPostgresIT extends StartsHttpTest {}

package io.faasimage.registry.trace;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link TracesHttpTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class TracesOnPostgresIT extends TracesHttpTest {}

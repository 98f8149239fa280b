package io.faasimage.registry.build;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** As {@link BuildsHttpTest}, on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class BuildsOnPostgresIT extends BuildsHttpTest {}

package io.faasimage.registry.function;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link FunctionsHttpTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class FunctionsOnPostgresIT extends FunctionsHttpTest {}

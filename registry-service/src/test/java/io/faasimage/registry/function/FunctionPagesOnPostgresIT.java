package io.faasimage.registry.function;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link FunctionPagesTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class FunctionPagesOnPostgresIT extends FunctionPagesTest {}

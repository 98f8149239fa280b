package io.faasimage.registry.token;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link TokensHttpTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class TokensOnPostgresIT extends TokensHttpTest {}

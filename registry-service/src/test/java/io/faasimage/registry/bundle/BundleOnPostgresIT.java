package io.faasimage.registry.bundle;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link BundleHttpTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class BundleOnPostgresIT extends BundleHttpTest {}

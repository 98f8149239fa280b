package io.faasimage.registry.garbage;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** As {@link UpgradeTest}, on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class UpgradeOnPostgresIT extends UpgradeTest {}

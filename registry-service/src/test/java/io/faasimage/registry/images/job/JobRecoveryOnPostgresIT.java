package io.faasimage.registry.images.job;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link JobRecoveryTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class JobRecoveryOnPostgresIT extends JobRecoveryTest {}

package io.faasimage.registry.images.job;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link JobsTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class JobsOnPostgresIT extends JobsTest {}

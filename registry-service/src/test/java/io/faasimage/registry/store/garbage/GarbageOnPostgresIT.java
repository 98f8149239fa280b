package io.faasimage.registry.store.garbage;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link GarbageTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class GarbageOnPostgresIT extends GarbageTest {}

package io.faasimage.registry.replica;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** As {@link ReplicaTest}, on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class ReplicaOnPostgresIT extends ReplicaTest {}

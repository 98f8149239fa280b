package io.faasimage.registry.event;

import io.faasimage.registry.OnPostgres;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@link EventsHttpTest} on PostgreSQL. */
@ExtendWith(OnPostgres.class)
class EventsOnPostgresIT extends EventsHttpTest {}

package io.faasimage.registry.tenant;

import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * The schemas of tenants in the database: each has all tables, so that no query can reach the rows of another tenant.
 * The default tenant has the schema of the database's address, in whose scope callers are. Thread-safe.
 */
@Component
class TenantSchemas {
    private final Flyway flyway;
    private final DataSource source;

    TenantSchemas(Flyway flyway, DataSource source) {
        this.flyway = flyway;
        this.source = source;
    }

    /** Makes the schema of a tenant, or brings it to this version. */
    void migrate(TenantName tenant) {
        String schema = tenant.schema(own());
        Flyway.configure()
                .configuration(flyway.getConfiguration())
                .schemas(schema)
                .defaultSchema(schema)
                .createSchemas(true)
                .load()
                .migrate();
    }

    /** Removes a tenant's schema with all of its rows. */
    void drop(TenantName tenant) {
        String schema = tenant.schema(own()).replace("\"", "\"\"");
        new JdbcTemplate(source).execute("DROP SCHEMA IF EXISTS \"" + schema + "\" CASCADE");
    }

    private String own() {
        return Objects.requireNonNull(
                new JdbcTemplate(source).execute((ConnectionCallback<String>) Connection::getSchema));
    }
}

package io.faasimage.registry.tenant;

import java.sql.Connection;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/**
 * The schemas of tenants in the database: each has all tables, so that no query can reach the rows of another tenant.
 * The default tenant has the schema of the database's address, in whose scope callers are. Thread-safe.
 */
@Component
class TenantSchemas {
    private final ObjectProvider<Flyway> flyway;
    private final DataSource source;

    TenantSchemas(ObjectProvider<Flyway> flyway, DataSource source) {
        this.flyway = flyway;
        this.source = source;
    }

    /**
     * Makes the schema of a tenant, or brings it to this version.
     *
     * @throws IllegalStateException when the settings switch migrations off
     */
    void migrate(TenantName tenant) {
        Flyway own = flyway.getIfAvailable();
        if (own == null) {
            throw new IllegalStateException(
                    "tenants other than 'default' need spring.flyway.enabled=true, which makes their tables");
        }
        String schema = tenant.schema(own());
        Flyway.configure()
                .configuration(own.getConfiguration())
                .schemas(schema)
                .defaultSchema(schema)
                .createSchemas(true)
                .load()
                .migrate();
    }

    /** Removes a tenant's schema with all of its rows, in the caller's transaction where the database can do that. */
    void drop(TenantName tenant) {
        String schema = tenant.schema(own()).replace("\"", "\"\"");
        new JdbcTemplate(source).execute("DROP SCHEMA IF EXISTS \"" + schema + "\" CASCADE");
    }

    private String own() {
        return Objects.requireNonNull(
                new JdbcTemplate(source).execute((ConnectionCallback<String>) Connection::getSchema));
    }
}

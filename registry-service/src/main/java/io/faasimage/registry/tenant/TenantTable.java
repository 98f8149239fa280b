package io.faasimage.registry.tenant;

import io.faasimage.api.tenant.TenantInfo;
import io.faasimage.api.tenant.TenantQuotas;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tenants in the database: rows of the default tenant's schema, so callers are in its scope. Thread-safe. */
@Repository
class TenantTable {
    private final JdbcClient jdbc;

    TenantTable(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** All tenants by name. */
    List<TenantInfo> all() {
        return jdbc.sql("SELECT * FROM tenants ORDER BY name")
                .query(TenantTable::row)
                .list();
    }

    /** Adds a tenant; false when there is one of this name. */
    boolean add(TenantInfo tenant) {
        TenantQuotas quotas = tenant.quotas();
        return jdbc.sql("INSERT INTO tenants (name, created, max_functions, max_bytes, max_builds, max_requests)"
                                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING")
                        .param(tenant.name())
                        .param(OffsetDateTime.ofInstant(tenant.created(), ZoneOffset.UTC))
                        .param(quotas.functions())
                        .param(quotas.storedBytes())
                        .param(quotas.builds())
                        .param(quotas.requests())
                        .update()
                == 1;
    }

    /** Replaces the quotas of a tenant. */
    void set(TenantName name, TenantQuotas quotas) {
        jdbc.sql("UPDATE tenants SET max_functions = ?, max_bytes = ?, max_builds = ?, max_requests = ? WHERE name = ?")
                .param(quotas.functions())
                .param(quotas.storedBytes())
                .param(quotas.builds())
                .param(quotas.requests())
                .param(name.text())
                .update();
    }

    void remove(TenantName name) {
        jdbc.sql("DELETE FROM tenants WHERE name = ?").param(name.text()).update();
    }

    private static TenantInfo row(ResultSet row, int number) throws SQLException {
        return new TenantInfo(
                row.getString("name"),
                new TenantQuotas(
                        row.getObject("max_functions", Integer.class),
                        row.getObject("max_bytes", Long.class),
                        row.getObject("max_builds", Integer.class),
                        row.getObject("max_requests", Integer.class)),
                row.getObject("created", OffsetDateTime.class).toInstant());
    }
}

package io.faasimage.registry.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Connections to the database in two pools. What a container's start waits for has the serving pool to itself: bundles,
 * chains, objects, health. Everything else, from reports and pages to jobs, shares the other one, waits for a
 * connection for a short time only, and is refused then. Tenants other than the default one share two pools of the same
 * kind, whose connections get the schema of the tenant for whom the thread works each time that they are taken: the one
 * place that keeps the rows of tenants apart. Thread-safe.
 */
public final class ConnectionPools extends AbstractDataSource implements AutoCloseable {
    private static final ThreadLocal<Integer> SERVING = ThreadLocal.withInitial(() -> 0);

    /** What starts wait for, and everything else. */
    record Pair(HikariDataSource serving, HikariDataSource background) {
        private HikariDataSource current() {
            return SERVING.get() > 0 ? serving : background;
        }
    }

    private final Pair own;
    private final Pair tenants;
    private volatile @Nullable String ownSchema;

    /**
     * Pools of which {@code tenants} are not connected before a tenant needs them.
     *
     * @param own of the default tenant
     * @param tenants of all others
     */
    ConnectionPools(Pair own, Pair tenants) {
        this.own = own;
        this.tenants = tenants;
    }

    /** What a thread does until it is closed gets the serving pool's connections. */
    @FunctionalInterface
    public interface Serving extends AutoCloseable {
        @Override
        void close();
    }

    /** Has this thread served from the serving pool from now on. */
    public static Serving serve() {
        SERVING.set(SERVING.get() + 1);
        return () -> {
            if (SERVING.get() == 1) {
                SERVING.remove();
            } else {
                SERVING.set(SERVING.get() - 1);
            }
        };
    }

    List<HikariDataSource> all() {
        return List.of(own.serving(), own.background(), tenants.serving(), tenants.background());
    }

    @Override
    public Connection getConnection() throws SQLException {
        TenantName tenant = TenantScope.current();
        if (tenant.isDefault()) {
            return connection(own.current());
        }
        Connection connection = connection(tenants.current());
        try {
            connection.setSchema(tenant.schema(ownSchema()));
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    private String ownSchema() throws SQLException {
        String known = ownSchema;
        if (known == null) {
            try (Connection connection = connection(own.current())) {
                known = connection.getSchema();
            }
            ownSchema = known;
        }
        return known;
    }

    private static Connection connection(HikariDataSource pool) throws SQLException {
        try {
            return pool.getConnection();
        } catch (SQLTransientConnectionException e) {
            throw isBusy(pool, e) ? new PoolBusyException(pool.getPoolName(), e) : e;
        }
    }

    /** Whether others had all connections, which they may have given back by now; otherwise none could be made. */
    private static boolean isBusy(HikariDataSource pool, SQLTransientConnectionException timeout) {
        HikariPoolMXBean state = pool.getHikariPoolMXBean();
        return state.getActiveConnections() >= pool.getMaximumPoolSize()
                || (state.getTotalConnections() > 0 && timeout.getCause() == null);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the pools connect as the configured user only");
    }

    @Override
    public void close() {
        all().reversed().forEach(HikariDataSource::close);
    }
}

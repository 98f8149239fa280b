package io.faasimage.registry.platform.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Connections to the database in two pools. Requests that a container's start waits for have the serving pool to
 * themselves: bundles, chains, objects, health. Everything else, from reports and pages to jobs, shares the other one,
 * waits for a connection for a short time only, and is refused then. Thread-safe.
 */
public final class ConnectionPools extends AbstractDataSource implements AutoCloseable {
    private static final ThreadLocal<Integer> SERVING = ThreadLocal.withInitial(() -> 0);

    private final HikariDataSource serving;
    private final HikariDataSource background;

    /** One pool for requests that starts wait for, one for everything else. */
    ConnectionPools(HikariDataSource serving, HikariDataSource background) {
        this.serving = serving;
        this.background = background;
    }

    /** A scope in which the current thread gets the serving pool's connections, until it is closed. */
    @FunctionalInterface
    public interface Serving extends AutoCloseable {
        @Override
        void close();
    }

    /** Serves this thread from the serving pool from now on. */
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
        return List.of(serving, background);
    }

    @Override
    public Connection getConnection() throws SQLException {
        HikariDataSource pool = SERVING.get() > 0 ? serving : background;
        try {
            return pool.getConnection();
        } catch (SQLTransientConnectionException e) {
            throw isBusy(pool, e) ? new PoolBusyException(pool.getPoolName(), e) : e;
        }
    }

    /** Whether others had all connections, which they may have returned by now; otherwise none could be made. */
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

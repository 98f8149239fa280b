package io.faasimage.registry.replica;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.stereotype.Component;

/**
 * Locks that hold for all services on the database. A lock is a row that is locked on a connection of its own, so that what runs
 * under it has transactions as it likes, and a service that dies lets go. Thread-safe; not reentrant.
 */
@Component
public class DatabaseLocks {
    /** What is locked. */
    public enum Name {
        /** What adds traces, or images that a trace may be of. */
        TRACES("traces"),
        /** What adds builds. */
        BUILDS("builds");

        private final String row;

        Name(String row) {
            this.row = row;
        }
    }

    private final DataSource source;
    /** Threads of this service wait here, without a connection each. */
    private final Map<Name, ReentrantLock> local = new ConcurrentHashMap<>();

    DatabaseLocks(DataSource source) {
        this.source = source;
    }

    /** Runs {@code body} while nobody else holds the lock. */
    public <T> T holding(Name name, Supplier<T> body) {
        ReentrantLock lock = local.computeIfAbsent(name, _ -> new ReentrantLock());
        lock.lock();
        try (Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            try (PreparedStatement row =
                    connection.prepareStatement("SELECT name FROM locks WHERE name = ? FOR UPDATE")) {
                row.setString(1, name.row);
                row.execute();
                return body.get();
            } finally {
                connection.rollback();
            }
        } catch (SQLException e) {
            throw translated(name, e);
        } finally {
            lock.unlock();
        }
    }

    private static RuntimeException translated(Name name, SQLException e) {
        return java.util.Objects.requireNonNullElseGet(
                new SQLExceptionSubclassTranslator().translate("lock " + name, null, e),
                () -> new IllegalStateException("could not lock " + name, e));
    }
}

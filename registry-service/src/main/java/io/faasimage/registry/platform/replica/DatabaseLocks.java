package io.faasimage.registry.platform.replica;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Locks that hold for all services on the database: rows. A request waits for one at most a few seconds,
 * and then fails with {@link ProblemKind#BUSY}; and PostgreSQL takes one away from a service whose transaction does
 * nothing for a minute, so that one that stands still does not stop the others. Thread-safe; not reentrant.
 */
@Component
public class DatabaseLocks {
    /** The locks. A holder of several takes them in this order. */
    public enum Name {
        /** For writers of files of traces. */
        TRACE_FILES("trace-files"),
        /**
         * For writers of rows of traces, or of images that a trace may be of; only in transactions, as registrations
         * wait for it.
         */
        TRACES("traces");

        private final String row;

        Name(String row) {
            this.row = row;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseLocks.class);
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final Duration STANDSTILL = Duration.ofMinutes(1);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private final JdbcTemplate jdbc;
    private final TransactionOperations transaction;
    private final Duration wait;
    private final Duration standstill;
    /** Threads of this service wait here, without a connection each. */
    private final Map<Name, ReentrantLock> local = new ConcurrentHashMap<>();

    @Autowired
    DatabaseLocks(DataSource source, TransactionOperations transaction) {
        this(source, transaction, WAIT, STANDSTILL);
    }

    DatabaseLocks(DataSource source, TransactionOperations transaction, Duration wait, Duration standstill) {
        this.jdbc = new JdbcTemplate(source);
        this.transaction = transaction;
        this.wait = wait;
        this.standstill = standstill;
    }

    /** Runs {@code body} as one transaction while it holds the lock; it is lost only with the transaction. */
    public <T> T inTransaction(Name name, Supplier<T> body) {
        return alone(
                name,
                () -> transaction.execute(status -> {
                    jdbc.execute((ConnectionCallback<Boolean>) connection -> lock(connection, name));
                    return body.get();
                }));
    }

    /**
     * Runs {@code body}, which has transactions of its own, while it holds the lock. One that takes longer than a
     * minute loses it unnoticed: its writes have to fit the rows that it read.
     */
    public <T> T holding(Name name, Supplier<T> body) {
        return alone(
                name,
                () -> jdbc.execute((ConnectionCallback<T>) connection -> {
                    connection.setAutoCommit(false);
                    try {
                        lock(connection, name);
                        return body.get();
                    } finally {
                        release(connection, name);
                    }
                }));
    }

    private <T> T alone(Name name, Supplier<T> body) {
        ReentrantLock lock = local.computeIfAbsent(name, _ -> new ReentrantLock());
        if (!isTaken(lock)) {
            throw busy(name);
        }
        try {
            return body.get();
        } catch (DataAccessException e) {
            throw e.getRootCause() instanceof SQLException cause && LOCK_NOT_AVAILABLE.equals(cause.getSQLState())
                    ? busy(name)
                    : e;
        } finally {
            lock.unlock();
        }
    }

    private boolean isTaken(ReentrantLock lock) {
        try {
            return lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean lock(Connection connection, Name name) throws SQLException {
        if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
            try (Statement limits = connection.createStatement()) {
                limits.execute("SET LOCAL lock_timeout = " + wait.toMillis()
                        + "; SET LOCAL idle_in_transaction_session_timeout = " + standstill.toMillis());
            }
        }
        try (PreparedStatement row = connection.prepareStatement("SELECT name FROM locks WHERE name = ? FOR UPDATE")) {
            row.setString(1, name.row);
            return row.execute();
        }
    }

    private static void release(Connection connection, Name name) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            LOG.warn("the lock {} was lost before it was released: {}", name.row, e.toString());
        }
    }

    private static ProblemException busy(Name name) {
        return ProblemException.retryLater(
                ProblemKind.BUSY,
                "other requests have held the lock '" + name.row + "' of the database for too long; try again later",
                RETRY);
    }
}

package io.faasimage.registry.platform.database;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.TransactionSystemException;

/** The classification of database failures into transient and permanent ones. */
public final class DatabaseFailures {
    /** PostgreSQL's codes for a lock or a statement that took too long; Spring has no name for the first. */
    private static final Set<String> TOO_LONG = Set.of("55P03", "57014");

    /** PostgreSQL's code for a transaction that did nothing for too long. */
    private static final String STOOD_STILL = "25P03";

    private DatabaseFailures() {}

    /** The database is away, busy, or ended the connection: the same may succeed later. */
    public static boolean isTransient(Throwable failure) {
        return anyCause(
                failure,
                e -> e instanceof TransientDataAccessException
                        || e instanceof RecoverableDataAccessException
                        || e instanceof DataAccessResourceFailureException
                        || e instanceof TransactionSystemException
                        || e instanceof SQLTransientException
                        || e instanceof SQLRecoverableException
                        || e instanceof SQLNonTransientConnectionException
                        || tookTooLong(e)
                        || STOOD_STILL.equals(state(e)));
    }

    /** The database works, but others have the resource: a lock, time, or all connections. */
    public static boolean isBusy(Throwable failure) {
        return anyCause(
                failure,
                e -> e instanceof PoolBusyException || e instanceof TransientDataAccessException || tookTooLong(e));
    }

    private static boolean tookTooLong(Throwable e) {
        String state = state(e);
        return state != null && TOO_LONG.contains(state);
    }

    private static @Nullable String state(Throwable e) {
        return e instanceof SQLException sql ? sql.getSQLState() : null;
    }

    private static boolean anyCause(Throwable failure, Predicate<Throwable> is) {
        for (Throwable e = failure; e != null; e = e.getCause()) {
            if (is.test(e)) {
                return true;
            }
        }
        return false;
    }
}

package io.faasimage.registry.platform.database;

import java.time.Duration;

/**
 * Time limits that PostgreSQL enforces for a connection, so that no connection blocks others without bound.
 *
 * @param lock longest wait for a lock
 * @param statement longest statement
 * @param idle how long a transaction may do nothing before it is ended and its locks are free
 */
record SessionLimits(Duration lock, Duration statement, Duration idle) {
    private static final Duration STANDSTILL = Duration.ofMinutes(1);

    /** A start waits for it. */
    static SessionLimits serving() {
        return new SessionLimits(Duration.ofSeconds(2), Duration.ofSeconds(10), STANDSTILL);
    }

    /** A search for garbage takes its time; the service itself gives up after five minutes. */
    static SessionLimits background() {
        return new SessionLimits(Duration.ofSeconds(5), Duration.ofMinutes(4), STANDSTILL);
    }

    String sql() {
        return "SET lock_timeout = " + lock.toMillis() + "; SET statement_timeout = " + statement.toMillis()
                + "; SET idle_in_transaction_session_timeout = " + idle.toMillis();
    }
}

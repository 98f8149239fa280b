package io.faasimage.registry.platform.database;

import java.sql.SQLTransientConnectionException;

/** All connections of a pool were in use for as long as a request may wait for one. */
public final class PoolBusyException extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1L;

    PoolBusyException(String pool, SQLTransientConnectionException cause) {
        super("all connections of the pool '" + pool + "' are in use", cause.getSQLState(), cause);
    }
}

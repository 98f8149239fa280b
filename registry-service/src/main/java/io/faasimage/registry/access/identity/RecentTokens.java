package io.faasimage.registry.access.identity;

import io.faasimage.api.concurrent.BoundedMap;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * A cache of the tokens that were presented of late, those that do not exist included, so that requests of pulls do not
 * wait for the database. A row is read again after three seconds: a token that another service revoked is accepted for
 * no longer. Thread-safe.
 */
@Component
class RecentTokens {
    private static final int MOST = 20_000;
    private static final long FRESH_NANOS = Duration.ofSeconds(3).toNanos();

    private record Read(Optional<TokenRow> row, long at) {}

    private final TokenTable table;
    private final Map<String, Read> reads = BoundedMap.lastUsed(MOST);

    RecentTokens(TokenTable table) {
        this.table = table;
    }

    Optional<TokenRow> find(String id) {
        long now = System.nanoTime();
        synchronized (reads) {
            Read known = reads.get(id);
            if (known != null && now - known.at() < FRESH_NANOS) {
                return known.row();
            }
        }
        Optional<TokenRow> row = table.find(id);
        synchronized (reads) {
            reads.put(id, new Read(row, now));
        }
        return row;
    }

    /** Reads every token again when it is presented next. */
    void clear() {
        synchronized (reads) {
            reads.clear();
        }
    }
}

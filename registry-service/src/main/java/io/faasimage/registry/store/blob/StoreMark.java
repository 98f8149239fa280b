package io.faasimage.registry.store.blob;

import io.faasimage.registry.platform.config.StartFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The random name that the database and its store of blobs share, so that a service with the blobs of another, or with
 * none, does not start: it would take blobs of the other store for damaged, and remove blobs that others need. Made
 * before anything looks at the blobs.
 */
@Component
public final class StoreMark {
    private static final Logger LOG = LoggerFactory.getLogger(StoreMark.class);
    private static final Blob MARK = new Blob(BlobKind.STORE, "id");

    private record Known(@Nullable String id, boolean placed) {}

    private final JdbcClient jdbc;
    private final BlobStore blobs;
    private final TransactionOperations transaction;

    StoreMark(JdbcClient jdbc, BlobStore blobs, TransactionOperations transaction) {
        this.jdbc = jdbc;
        this.blobs = blobs;
        this.transaction = transaction;
        try {
            check();
        } catch (BlobsDownException e) {
            LOG.warn("could not check yet whether the blobs belong to this database: {}", e.getMessage());
        } catch (IOException e) {
            throw new StartFailure("blobs cannot be stored: " + e, e);
        }
    }

    /**
     * Makes the mark when neither has it.
     *
     * @throws StartFailure when database and blobs do not belong together
     * @throws IOException when the store is not available
     */
    public void check() throws IOException {
        if (read().isEmpty()) {
            jdbc.sql("UPDATE store SET id = ? WHERE id IS NULL")
                    .param(UUID.randomUUID().toString())
                    .update();
        }
        try {
            transaction.executeWithoutResult(status -> compare());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void compare() {
        // Two services that start at the same time come here one after the other.
        Known known = jdbc.sql("SELECT id, placed FROM store FOR UPDATE")
                .query((row, number) -> new Known(row.getString("id"), row.getBoolean("placed")))
                .single();
        try {
            compare(known, read());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void compare(Known known, Optional<String> mark) throws IOException {
        if (mark.isEmpty() && known.id() != null && !known.placed()) {
            blobs.write(MARK, known.id().getBytes(StandardCharsets.UTF_8));
        } else if (mark.isEmpty()) {
            throw new StartFailure(
                    "the configured directory or bucket does not contain the blobs of this database: it has no '"
                            + MARK
                            + "'; configure the one that has them, or copy them with this file. If they are"
                            + " lost for good:"
                            + " UPDATE store SET placed = FALSE");
        } else if (!mark.get().equals(known.id())) {
            throw new StartFailure("the configured directory or bucket has the blobs of another database: its '" + MARK
                    + "' is not this one's; configure the one that belongs to it. If that database is lost for"
                    + " good, remove the blobs with"
                    + " this file");
        }
        jdbc.sql("UPDATE store SET placed = TRUE WHERE NOT placed").update();
    }

    private Optional<String> read() throws IOException {
        try {
            return Optional.of(new String(blobs.read(MARK), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }
}

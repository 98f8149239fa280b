package io.faasimage.registry.store.signing;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.statement.SignedDocument;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Signed statements in a table of the database, at most one of each subject. Its rows are not trusted: each is
 * verified before it is used. Thread-safe.
 */
public final class StatementTable {
    private static final Logger LOG = LoggerFactory.getLogger(StatementTable.class);

    private final JdbcClient jdbc;
    private final String table;
    private final String subject;

    /** The rows of {@code table}, whose column {@code subject} has the subjects of statements. */
    public StatementTable(JdbcClient jdbc, String table, String subject) {
        this.jdbc = jdbc;
        this.table = table;
        this.subject = subject;
    }

    /** Adds a statement, in the place of an earlier one. */
    public void put(String about, SignedDocument signed) {
        if (!replace(about, signed)) {
            jdbc.sql("INSERT INTO " + table + " (" + subject
                            + ", signing_key, statement) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                    .params(about, signed.key().toString(), signed.encode())
                    .update();
        }
    }

    /** Replaces a statement; false when there is none. */
    public boolean replace(String about, SignedDocument signed) {
        return jdbc.sql("UPDATE " + table + " SET signing_key = ?, statement = ? WHERE " + subject + " = ?")
                        .params(signed.key().toString(), signed.encode(), about)
                        .update()
                > 0;
    }

    /** The statement about something; empty when there is none that can be read. */
    public Optional<SignedDocument> find(String about) {
        return jdbc.sql("SELECT statement FROM " + table + " WHERE " + subject + " = ?")
                .param(about)
                .query((row, number) -> row.getBytes("statement"))
                .optional()
                .flatMap(bytes -> decode(about, bytes));
    }

    private Optional<SignedDocument> decode(String about, byte[] bytes) {
        try {
            return Optional.of(SignedDocument.decode(bytes));
        } catch (FormatException e) {
            LOG.warn("the statement about {} in {} is damaged: {}", about, table, e.getMessage());
            return Optional.empty();
        }
    }

    /** The subjects of statements of other keys than {@code key}. */
    public List<String> ofOtherKeys(Digest key) {
        return jdbc.sql("SELECT " + subject + " FROM " + table + " WHERE signing_key <> ?")
                .param(key.toString())
                .query((row, number) -> row.getString(1))
                .list();
    }
}

package io.faasimage.registry.store.object;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.blob.Blob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionOperations;

/**
 * The locations of objects and metadata images, in the database. Rows are only added once the file is published. A
 * change after which an object has no place, or another one, begins a new epoch in the same transaction. Thread-safe.
 */
@Repository
public class ObjectTable {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectTable.class);
    private static final int BATCH = 500;

    private final JdbcClient jdbc;
    private final JdbcTemplate template;
    private final TransactionOperations transaction;

    ObjectTable(JdbcClient jdbc, JdbcTemplate template, TransactionOperations transaction) {
        this.jdbc = jdbc;
        this.template = template;
        this.transaction = transaction;
    }

    /** Whether no object is stored. */
    public boolean isEmpty() {
        return jdbc.sql("SELECT 1 FROM objects FETCH FIRST ROW ONLY")
                .query(Integer.class)
                .optional()
                .isEmpty();
    }

    /** An object, or a metadata image. */
    public Optional<StoredObject> find(Digest digest) {
        return jdbc.sql("SELECT * FROM objects WHERE digest = ? AND NOT damaged")
                .param(digest.bytes())
                .query(this::object)
                .optional()
                .or(() -> metadata(digest));
    }

    /** A metadata image. */
    public Optional<StoredObject> metadata(Digest digest) {
        return jdbc.sql("SELECT * FROM metadata_images WHERE digest = ?")
                .param(digest.bytes())
                .query((row, number) -> new StoredObject(
                        digest, Blob.metadata(digest), 0, row.getLong("stored_length"), row.getLong("raw_size")))
                .optional();
    }

    /** Those of the objects that are stored. */
    public Map<Digest, StoredObject> find(Collection<Digest> digests) {
        return find(digests, "NOT damaged");
    }

    /** These objects in the database; they share the given digests and one name per pack. */
    private Map<Digest, StoredObject> find(Collection<Digest> digests, String condition) {
        Map<Digest, StoredObject> found = HashMap.newHashMap(digests.size());
        Map<Digest, Digest> given = HashMap.newHashMap(digests.size());
        digests.forEach(digest -> given.put(digest, digest));
        Map<Blob, Blob> packs = new HashMap<>();
        List<byte[]> keys = digests.stream().map(Digest::bytes).toList();
        for (int from = 0; from < keys.size(); from += BATCH) {
            List<byte[]> batch = keys.subList(from, Math.min(keys.size(), from + BATCH));
            jdbc.sql("SELECT * FROM objects WHERE digest IN (:digests) AND " + condition)
                    .param("digests", batch)
                    .query(this::object)
                    .list()
                    .forEach(object -> {
                        Digest digest = given.getOrDefault(object.digest(), object.digest());
                        Blob pack = packs.computeIfAbsent(object.blob(), blob -> blob);
                        found.put(
                                digest,
                                new StoredObject(
                                        digest, pack, object.offset(), object.storedLength(), object.rawSize()));
                    });
        }
        return found;
    }

    /** Until the end of this transaction, which it needs, no object gets another place and none is removed. */
    public void keepPlaces() {
        jdbc.sql("SELECT epoch FROM places FOR UPDATE").query(Long.class).single();
    }

    /**
     * Adds objects; the place of a damaged one is replaced by the new one. Needs a transaction, and all take the rows
     * in the same order. Only when a place changes does it change the one row that all services look at: layouts that
     * have the old one are dropped.
     *
     * @throws OptimisticLockingFailureException when an object has another place already: plans name the frames there
     */
    public void addAll(Collection<StoredObject> objects) {
        List<StoredObject> ordered = objects.stream()
                .sorted(Comparator.comparing(StoredObject::digest))
                .toList();
        if (add(ordered) < ordered.size()) {
            List<Digest> digests = ordered.stream().map(StoredObject::digest).toList();
            Map<Digest, StoredObject> good = find(digests);
            if (ordered.stream()
                    .anyMatch(object ->
                            !good.getOrDefault(object.digest(), object).equals(object))) {
                throw new OptimisticLockingFailureException("an object was stored meanwhile");
            }
            beginEpoch();
            Map<Digest, StoredObject> before = find(digests, "TRUE");
            Map<Blob, Set<Blob>> moves = new HashMap<>();
            ordered.forEach(object -> moves.computeIfAbsent(
                            before.getOrDefault(object.digest(), object).blob(), _ -> new HashSet<>())
                    .add(object.blob()));
            moves.forEach((old, packs) -> packs.forEach(pack -> follow(old, pack)));
            move(ordered);
        }
    }

    private void beginEpoch() {
        jdbc.sql("UPDATE places SET epoch = epoch + 1").update();
    }

    /** Returns the number of the objects that had no place before. */
    private int add(List<StoredObject> ordered) {
        int[][] added = template.batchUpdate(
                "INSERT INTO objects (digest, pack, pack_offset, stored_length, raw_size) VALUES (?, ?, ?, ?, ?)"
                        + " ON CONFLICT DO NOTHING",
                ordered,
                BATCH,
                (statement, object) -> {
                    statement.setBytes(1, object.digest().bytes());
                    statement.setString(2, object.blob().name());
                    statement.setLong(3, object.offset());
                    statement.setLong(4, object.storedLength());
                    statement.setLong(5, object.rawSize());
                });
        return Arrays.stream(added).flatMapToInt(Arrays::stream).sum();
    }

    /** Plans that need a pack need the one, too, to which objects of it move. */
    private void follow(Blob old, Blob pack) {
        try {
            jdbc.sql("INSERT INTO plan_blobs (plan, blob) SELECT plan, CAST(? AS VARCHAR) FROM plan_blobs"
                            + " WHERE blob = ? ON CONFLICT DO NOTHING")
                    .params(pack.toString(), old.toString())
                    .update();
        } catch (DataIntegrityViolationException e) {
            throw new OptimisticLockingFailureException("a plan that needs " + old + " is being removed", e);
        }
    }

    private void move(List<StoredObject> ordered) {
        template.batchUpdate(
                "UPDATE objects SET pack = ?, pack_offset = ?, stored_length = ?, damaged = FALSE WHERE digest = ?",
                ordered,
                BATCH,
                (statement, object) -> {
                    statement.setString(1, object.blob().name());
                    statement.setLong(2, object.offset());
                    statement.setLong(3, object.storedLength());
                    statement.setBytes(4, object.digest().bytes());
                });
    }

    /** Removes an object or metadata image whose frame is bad, unless it has another place by now. */
    public void forget(StoredObject bad) {
        int removed = Objects.requireNonNull(transaction.execute(_ -> markDamaged(bad)));
        if (bad.blob().equals(Blob.metadata(bad.digest()))) {
            removed += jdbc.sql("DELETE FROM metadata_images WHERE digest = ?")
                    .param(bad.digest().bytes())
                    .update();
        }
        if (removed > 0) {
            LOG.error(
                    "object {} in {} is damaged and forgotten; the next refactoring stores it again",
                    bad.digest(),
                    bad.blob());
        }
    }

    private int markDamaged(StoredObject bad) {
        // First: all transactions take this row before those of objects.
        beginEpoch();
        return jdbc.sql("UPDATE objects SET damaged = TRUE WHERE digest = ? AND pack = ? AND pack_offset = ?"
                        + " AND NOT damaged")
                .params(bad.digest().bytes(), bad.blob().name(), bad.offset())
                .update();
    }

    /** Removes the objects of a pack that no plan needs. Needs a transaction that keeps places. */
    public void removeAll(Blob pack) {
        beginEpoch();
        jdbc.sql("DELETE FROM objects WHERE pack = ?").param(pack.name()).update();
    }

    /** Adds a metadata image; replaces the row that it has already. Needs a transaction. */
    public void addMetadata(Digest digest, long storedLength, long rawSize) {
        jdbc.sql("DELETE FROM metadata_images WHERE digest = ?")
                .param(digest.bytes())
                .update();
        jdbc.sql(
                        "INSERT INTO metadata_images (digest, stored_length, raw_size) VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
                .params(digest.bytes(), storedLength, rawSize)
                .update();
    }

    private StoredObject object(ResultSet row, int number) throws SQLException {
        return new StoredObject(
                Digest.ofBytes(row.getBytes("digest")),
                Blob.pack(row.getString("pack")),
                row.getLong("pack_offset"),
                row.getLong("stored_length"),
                row.getLong("raw_size"));
    }
}

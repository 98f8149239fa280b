package io.faasimage.node.containerd.snapshot;

import io.faasimage.node.containerd.snapshot.SnapshotException.Reason;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.MVStoreTool;
import org.h2.mvstore.type.ByteArrayDataType;
import org.h2.mvstore.type.StringDataType;

/**
 * The records of all snapshots, in one file. Readers see the last committed state without waiting. Changes are made one
 * at a time, each in one transaction that is on the disk before it returns. A crash leaves the state before or after a
 * change. The file only grows while it is open, so space is reserved for removals: they succeed on a full disk.
 */
final class SnapshotStore implements AutoCloseable {
    private static final Logger LOG = System.getLogger(SnapshotStore.class.getName());
    private static final long COMPACT_ABOVE_BYTES = 32L << 20;
    private static final String SEQUENCE = "sequence";

    private static final long RESERVE_BYTES = 1L << 20;

    private final Path file;
    private final SpaceReserve reserve;
    private final ReentrantLock lock = new ReentrantLock();
    private MVStore store;
    private volatile Map<String, Snapshot> current = Map.of();
    private volatile boolean complete;
    private long sequence;

    private SnapshotStore(Path file) throws IOException {
        this.file = file;
        this.reserve = new SpaceReserve(file.resolveSibling("snapshots.reserve"), RESERVE_BYTES);
        this.store = openFile(file);
        load();
        reserve.fill();
    }

    /** @throws IOException when the file is not readable, or in use by another process */
    static SnapshotStore open(Path file) throws IOException {
        return new SnapshotStore(file);
    }

    /** One change; it takes effect as a whole when the method returns, and not at all when it throws. */
    @FunctionalInterface
    interface Change<T> {
        T apply(Transaction transaction) throws IOException;
    }

    Optional<Snapshot> find(String key) {
        return Optional.ofNullable(current.get(key));
    }

    /** @throws SnapshotException NOT_FOUND */
    Snapshot require(String key) {
        return find(key).orElseThrow(() -> SnapshotException.notFound(key));
    }

    /** Whether every record could be read: a directory that no record names is then unused. */
    boolean isComplete() {
        return complete;
    }

    /** Every snapshot, in no order. */
    Collection<Snapshot> all() {
        return current.values();
    }

    /**
     * Makes one change. The change runs under the lock that also guards the snapshots' directories.
     *
     * @throws IOException when the change throws it, or the state could not be written
     */
    <T> T change(Change<T> change) throws IOException {
        lock.lock();
        try {
            if (store.isClosed()) {
                store = openFile(file);
                load();
            }
            Transaction transaction = new Transaction(current, sequence);
            T result = change.apply(transaction);
            write(transaction);
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the disk is so full that the space for removals is in use; removed snapshots must be deleted at once. */
    boolean isShortOfSpace() throws IOException {
        return !reserve.isFilled();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            store.close();
        } finally {
            lock.unlock();
        }
    }

    private void write(Transaction transaction) throws IOException {
        if (transaction.changed.isEmpty()) {
            return;
        }
        try {
            record(transaction);
        } catch (IOException e) {
            if (!transaction.onlyRemoves() || !reserve.release()) {
                throw e;
            }
            store = openFile(file);
            load();
            record(transaction);
        }
        sequence = transaction.sequence;
        current = Map.copyOf(transaction.working);
        reserve.fill();
    }

    private void record(Transaction transaction) throws IOException {
        try {
            MVMap<String, byte[]> snapshots = snapshots();
            for (String key : transaction.changed) {
                Snapshot snapshot = transaction.working.get(key);
                if (snapshot == null) {
                    snapshots.remove(key);
                } else {
                    snapshots.put(key, SnapshotCodec.encode(snapshot));
                }
            }
            counters().put(SEQUENCE, Long.toString(transaction.sequence));
            store.commit();
            store.sync();
        } catch (MVStoreException e) {
            store.closeImmediately(); // the next change reads again what is on the disk
            throw new IOException(
                    "could not write " + file + ": " + e.getMessage() + "; is there space left on the disk?", e);
        }
    }

    private void load() throws IOException {
        try {
            Map<String, Snapshot> read = new HashMap<>();
            boolean all = true;
            for (Map.Entry<String, byte[]> entry : snapshots().entrySet()) {
                try {
                    read.put(entry.getKey(), SnapshotCodec.decode(entry.getKey(), entry.getValue()));
                } catch (IOException e) {
                    // The others are served; this one stays in the file, and its directory on the disk.
                    all = false;
                    LOG.log(Level.ERROR, "a snapshot of " + file + " is not served: " + e.getMessage());
                }
            }
            complete = all;
            sequence = Long.parseLong(counters().getOrDefault(SEQUENCE, "0"));
            current = Map.copyOf(read);
        } catch (MVStoreException e) {
            store.closeImmediately();
            throw new IOException("could not read the snapshots' records in " + file + ": " + e.getMessage(), e);
        }
    }

    private MVMap<String, byte[]> snapshots() {
        return store.openMap(
                "snapshots",
                new MVMap.Builder<String, byte[]>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(ByteArrayDataType.INSTANCE));
    }

    private MVMap<String, String> counters() {
        return store.openMap(
                "counters",
                new MVMap.Builder<String, String>()
                        .keyType(StringDataType.INSTANCE)
                        .valueType(StringDataType.INSTANCE));
    }

    private static MVStore openFile(Path file) throws IOException {
        try {
            MVStoreTool.compactCleanUp(file.toString());
            if (Files.exists(file) && Files.size(file) > COMPACT_ABOVE_BYTES) {
                MVStoreTool.compact(file.toString(), false);
            }
            MVStore opened = new MVStore.Builder()
                    .fileName(file.toString())
                    .autoCommitDisabled()
                    .open();
            // Each change is synced before the next, so the one after that may overwrite the records that it replaced.
            opened.setRetentionTime(0);
            opened.setVersionsToKeep(0);
            return opened;
        } catch (MVStoreException e) {
            throw new IOException(
                    "could not open the snapshots' records in " + file + ": " + e.getMessage()
                            + "; is another node-manager running on this root?",
                    e);
        }
    }

    /** The state that one change works on. Used by one thread, within {@link #change}. */
    static final class Transaction {
        private final Map<String, Snapshot> working;
        private final Set<String> changed = new HashSet<>();
        private long sequence;

        private Transaction(Map<String, Snapshot> current, long sequence) {
            this.working = new HashMap<>(current);
            this.sequence = sequence;
        }

        Optional<Snapshot> find(String key) {
            return Optional.ofNullable(working.get(key));
        }

        Snapshot require(String key) {
            return find(key).orElseThrow(() -> SnapshotException.notFound(key));
        }

        /**
         * The snapshot that another is to lie on; empty when {@code parent} is.
         *
         * @throws SnapshotException when there is none, or it is not committed
         */
        Optional<Snapshot> requireCommitted(String parent) {
            if (parent.isEmpty()) {
                return Optional.empty();
            }
            Snapshot below = find(parent)
                    .orElseThrow(() ->
                            new SnapshotException(Reason.NOT_FOUND, "parent snapshot '" + parent + "' does not exist"));
            if (below.kind() != SnapshotKind.COMMITTED) {
                throw SnapshotException.invalid("parent snapshot '" + parent + "' is not committed");
            }
            return Optional.of(below);
        }

        Collection<Snapshot> all() {
            return working.values();
        }

        boolean hasChildren(String key) {
            return working.values().stream().anyMatch(s -> s.parent().equals(key));
        }

        private boolean onlyRemoves() {
            return changed.stream().noneMatch(working::containsKey);
        }

        /** An id that was never given before. */
        long nextId() {
            return ++sequence;
        }

        void put(Snapshot snapshot) {
            working.put(snapshot.key(), snapshot);
            changed.add(snapshot.key());
        }

        void remove(String key) {
            working.remove(key);
            changed.add(key);
        }
    }
}

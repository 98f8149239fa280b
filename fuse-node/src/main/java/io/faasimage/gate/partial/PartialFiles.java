package io.faasimage.gate.partial;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.plan.PieceMap;
import io.faasimage.gate.fetch.ObjectFetcher;
import io.faasimage.gate.lookup.GatePath;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The gate's files of large objects. The agent describes each in a {@link PieceMap} below {@code partial/maps} of the
 * state directory, whose name is its number: a gate that continues with a mount finds a file by the number alone.
 * Thread-safe.
 */
public final class PartialFiles {
    private static final int MOST_FILES = 256;

    private final Path maps;
    private final ObjectStore store;
    private final ObjectFetcher fetcher;
    private final Map<Long, PartialFile> known = BoundedMap.lastUsed(MOST_FILES);

    /** The files that {@code root}, the state directory of {@code store}, describes. */
    public PartialFiles(Path root, ObjectStore store, ObjectFetcher fetcher) {
        this.maps = root.resolve("partial/maps");
        this.store = store;
        this.fetcher = fetcher;
    }

    /** The size of the file with this number; empty when there is none. */
    public OptionalLong size(long node) throws IOException {
        try {
            return OptionalLong.of(file(node).size());
        } catch (NoSuchFileException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * The bytes from {@code offset} on, as many as are wanted or there are.
     *
     * @throws IOException when they cannot be fetched
     */
    public byte[] read(long node, long offset, int length) throws IOException {
        return file(node).read(offset, length);
    }

    private PartialFile file(long node) throws IOException {
        synchronized (known) {
            PartialFile file = known.get(node);
            if (file != null) {
                return file;
            }
        }
        String name = GatePath.fileName(node);
        byte[] encoded = Files.readAllBytes(maps.resolve(name));
        if (!PieceMap.name(encoded).equals(name)) {
            throw new IOException("the map " + maps.resolve(name) + " has other content than its name says");
        }
        PartialFile file = new PartialFile(PieceMap.decode(encoded), store, fetcher);
        synchronized (known) {
            known.put(node, file);
        }
        return file;
    }
}

package io.faasimage.registry.store.object;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Packs and metadata images, open and mapped into memory; the last used ones stay so. A file is opened again when it
 * was replaced; it is unmapped and closed when it is no longer reachable. Thread-safe.
 *
 * <p>Stored files never shrink: they are written under another name, and replaced as a whole. Their sizes are checked
 * before they are mapped, because a mapping past the end of a file kills its reader.
 */
@Component
public final class MappedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(MappedFiles.class);
    private static final int KEPT = 512;

    private record Mapping(@Nullable Object key, FileTime modified, MappedFile mapped) {
        boolean isOf(BasicFileAttributes file) {
            return mapped.content().byteSize() == file.size()
                    && modified.equals(file.lastModifiedTime())
                    && java.util.Objects.equals(key, file.fileKey());
        }
    }

    private final BlobStore blobs;
    private final SequencedMap<Path, Mapping> recent = new LinkedHashMap<>(16, 0.75f, true);

    MappedFiles(BlobStore blobs) {
        this.blobs = blobs;
    }

    /**
     * The file of a blob, open and mapped; empty when it has to be read from the store.
     *
     * @param end length that the file must at least have, bytes
     * @throws ProblemException when it is missing or shorter, and the store has no better copy
     */
    public Optional<MappedFile> find(Blob blob, long end) {
        try {
            return blobs.file(blob).map(file -> open(blob, file, end));
        } catch (ProblemException e) {
            if (!blobs.isShared()) {
                throw e;
            }
            // It went from the cache a moment ago, or is not all that it should be.
            blobs.discard(blob);
            LOG.debug("{} is read from the store", blob, e);
            return Optional.empty();
        }
    }

    private MappedFile open(Blob blob, Path file, long end) {
        try {
            MappedFile mapped = mapping(file).mapped();
            long size = mapped.content().byteSize();
            if (size < end) {
                throw StoredFrames.damaged(blob, "it has " + size + " bytes and should have at least " + end);
            }
            return mapped;
        } catch (IOException e) {
            throw StoredFrames.damaged(blob, "it cannot be read (" + e + ")");
        }
    }

    private Mapping mapping(Path file) throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        synchronized (recent) {
            Mapping known = recent.get(file);
            if (known != null && known.isOf(now)) {
                return known;
            }
        }
        Mapping mapping = map(file, now);
        synchronized (recent) {
            // A removed file would keep its room on the disk as long as it is mapped.
            recent.keySet().removeIf(path -> !Files.exists(path));
            recent.put(file, mapping);
            if (recent.size() > KEPT) {
                recent.pollFirstEntry();
            }
        }
        return mapping;
    }

    /** The attributes are those before: if the file is replaced meanwhile, it is mapped again the next time. */
    private static Mapping map(Path file, BasicFileAttributes attributes) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            MemorySegment content = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
            return new Mapping(attributes.fileKey(), attributes.lastModifiedTime(), new MappedFile(channel, content));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }
}

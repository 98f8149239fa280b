package io.faasimage.refactor;

import io.faasimage.refactor.image.ImageBudget;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Limits and settings of the engine; every bound is here.
 *
 * @param workDirectory parent of the temporary work directories; created when missing
 * @param parallelism layers read and objects compressed at the same time
 * @param maxUncompressedBytes of all layers of an image together
 * @param maxFileBytes of one file
 * @param maxEntries of all layers together, with the directories that only their paths imply
 * @param maxMetadataImageBytes of the metadata images of all prefixes together, uncompressed
 * @param maxMetadataBytes of the paths, link targets and extended attributes of all entries together
 * @param maxXattrBytes names and values of one entry's extended attributes
 * @param startupLevel zstd level of the start-up objects, 1 to 19
 * @param restLevel zstd level of the rest, 1 to 19
 * @param layerAttempts how often a layer is read when its transport breaks off
 */
public record EngineConfig(
        Path workDirectory,
        int parallelism,
        long maxUncompressedBytes,
        long maxFileBytes,
        int maxEntries,
        long maxMetadataImageBytes,
        long maxMetadataBytes,
        int maxXattrBytes,
        int startupLevel,
        int restLevel,
        int layerAttempts) {
    /** Heap that an entry takes from its reading to the plan's end; measured with 100,000 and 200,000 files. */
    private static final long BYTES_PER_ENTRY = 1600;

    /** Heap that the process needs for everything else. */
    private static final long RESERVED_BYTES = 80L << 20;

    private static final int MAX_ENTRIES = 1_000_000;
    private static final int MIN_ENTRIES = 10_000;
    private static final long MAX_METADATA_BYTES = 128L << 20;

    /** Checks the ranges. */
    public EngineConfig {
        if (parallelism < 1
                || maxUncompressedBytes < 1
                || maxFileBytes < 1
                || maxEntries < 1
                || maxMetadataImageBytes < 1
                || maxMetadataBytes < 1
                || maxXattrBytes < 0
                || layerAttempts < 1) {
            throw new IllegalArgumentException("engine limits must be positive");
        }
        if (startupLevel < 1 || startupLevel > 19 || restLevel < 1 || restLevel > 19) {
            throw new IllegalArgumentException("zstd levels are 1 to 19");
        }
    }

    /**
     * As many threads as processors (at most 8), 64 GB per image but no more than half of the free space of the work
     * directory now, 16 GB per file, as many entries with their metadata as the heap has room for (a million with 128
     * MB at most), for one run at a time.
     */
    public static EngineConfig defaults(Path workDirectory) {
        int cores = Math.min(8, Runtime.getRuntime().availableProcessors());
        long bytes = Math.clamp(usableBytes(workDirectory) / 2, 1, ImageBudget.DEFAULT.uncompressedBytes());
        return new EngineConfig(
                workDirectory,
                cores,
                bytes,
                ImageBudget.DEFAULT.fileBytes(),
                entries(Runtime.getRuntime().maxMemory()),
                ImageBudget.DEFAULT.metadataBytes(),
                Math.clamp(Runtime.getRuntime().maxMemory() / 8, 1, MAX_METADATA_BYTES),
                64 << 10,
                9,
                3,
                3);
    }

    /** A configuration with the limits of {@code budget} where they are lower than those of this machine. */
    public EngineConfig within(ImageBudget budget) {
        return new EngineConfig(
                workDirectory,
                parallelism,
                Math.min(usableBytes(workDirectory) / 2 + 1, budget.uncompressedBytes()),
                budget.fileBytes(),
                Math.min(maxEntries, budget.entries()),
                budget.metadataBytes(),
                maxMetadataBytes,
                maxXattrBytes,
                startupLevel,
                restLevel,
                layerAttempts);
    }

    /** The number of entries that an image may have with this heap. */
    static int entries(long heapBytes) {
        return Math.clamp((heapBytes - RESERVED_BYTES) / BYTES_PER_ENTRY, MIN_ENTRIES, MAX_ENTRIES);
    }

    private static long usableBytes(Path workDirectory) {
        Path existing = workDirectory.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return existing.toFile().getUsableSpace();
    }
}

package io.faasimage.refactor;

import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The paths that a trace names: their contents are compressed better when they are first read, because they probably
 * belong to the prefetch list.
 */
record StartupPaths(Set<FilePath> paths, int startupLevel, int restLevel) {
    static StartupPaths of(Trace trace, EngineConfig config) {
        return new StartupPaths(
                trace.entries().stream().map(TraceEntry::path).collect(Collectors.toUnmodifiableSet()),
                config.startupLevel(),
                config.restLevel());
    }

    /** The zstd level for what is at {@code path}. */
    int level(FilePath path) {
        return paths.contains(path) ? startupLevel : restLevel;
    }
}

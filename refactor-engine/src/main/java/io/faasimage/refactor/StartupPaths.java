package io.faasimage.refactor;

import io.faasimage.format.tree.FilePath;
import java.util.Set;

/**
 * The paths that are probably in the prefetch list: their contents are compressed better when they are first read.
 */
record StartupPaths(Set<FilePath> paths, int startupLevel, int restLevel) {
    static StartupPaths of(StartupSource source, EngineConfig config) {
        return new StartupPaths(source.likely(), config.startupLevel(), config.restLevel());
    }

    /** The zstd level for the content at {@code path}. */
    int level(FilePath path) {
        return paths.contains(path) ? startupLevel : restLevel;
    }
}

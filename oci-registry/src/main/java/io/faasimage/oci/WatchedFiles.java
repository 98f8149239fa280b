package io.faasimage.oci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The states of files from before they were read, to see whether one of them has changed since. Not thread-safe. */
final class WatchedFiles {
    private final Map<Path, Optional<State>> states = new LinkedHashMap<>();

    private record State(
            FileTime modified, long size, @Nullable Object key) {}

    /** Notes the state of a file that is going to be read; false when it does not exist. */
    boolean watch(Path file) throws IOException {
        Optional<State> state = state(file);
        states.put(file, state);
        return state.isPresent();
    }

    /** Whether all files are as they were noted. */
    boolean areUnchanged() throws IOException {
        for (Map.Entry<Path, Optional<State>> noted : states.entrySet()) {
            if (!state(noted.getKey()).equals(noted.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static Optional<State> state(Path file) throws IOException {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return Optional.of(new State(now.lastModifiedTime(), now.size(), now.fileKey()));
        } catch (NoSuchFileException e) {
            // That is a state, too.
            return Optional.empty();
        }
    }
}

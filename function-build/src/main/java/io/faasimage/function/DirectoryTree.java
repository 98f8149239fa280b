package io.faasimage.function;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The removal of a directory with all its contents. */
final class DirectoryTree {
    private DirectoryTree() {}

    /** Removes {@code top}, if it is there; symbolic links are not followed. */
    static void remove(Path top) throws IOException {
        if (Files.exists(top)) {
            List<Path> all;
            try (Stream<Path> walk = Files.walk(top)) {
                all = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : all) {
                Files.delete(path);
            }
        }
    }
}

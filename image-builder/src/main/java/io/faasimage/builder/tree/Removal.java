package io.faasimage.builder.tree;

import java.io.IOException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.util.UUID;

/** The removal of all that is below one directory. For one thread. */
final class Removal {
    /** Levels with an open descriptor each. */
    private static final int MAX_DEPTH = 64;

    private final SecureDirectoryStream<Path> top;
    private boolean moved;

    Removal(SecureDirectoryStream<Path> top) {
        this.top = top;
    }

    /** Removes everything but the directory itself. */
    void empty() throws IOException {
        do {
            moved = false;
            try (SecureDirectoryStream<Path> again = top.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS)) {
                empty(again, 1);
            }
        } while (moved);
    }

    private void empty(SecureDirectoryStream<Path> directory, int depth) throws IOException {
        for (Path child : directory) {
            Path name = child.getFileName();
            if (!FileTree.attributes(directory, name).isDirectory()) {
                directory.deleteFile(name);
            } else if (depth == MAX_DEPTH) {
                directory.move(name, top, Path.of("deep-" + UUID.randomUUID()));
                moved = true;
            } else {
                try (SecureDirectoryStream<Path> below =
                        directory.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    empty(below, depth + 1);
                }
                directory.deleteDirectory(name);
            }
        }
    }
}

package io.faasimage.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** The tree of the sources. Tests run in the directory of their module. */
final class Sources {
    private Sources() {}

    /** Its top directory. */
    static Path root() {
        Path above = Path.of("..").toAbsolutePath().normalize();
        return Files.isDirectory(above.resolve("test-fixtures"))
                ? above
                : above.resolve("..").normalize();
    }
}

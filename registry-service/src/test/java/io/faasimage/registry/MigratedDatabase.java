package io.faasimage.registry;

import io.faasimage.registry.platform.config.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * An empty embedded database at the newest version of the schema. Services of tests begin on a copy of it, because the
 * migrations take a large part of a start. Thread-safe.
 */
final class MigratedDatabase {
    private static final String FILE = "registry.mv.db";
    private static byte @Nullable [] content;

    private MigratedDatabase() {}

    /** Copies it into a data directory that has no database. */
    static synchronized void copyTo(Path data) {
        try {
            Path file = Files.createDirectories(data).resolve(FILE);
            if (content == null) {
                content = migrated();
            }
            if (!Files.exists(file)) {
                Files.write(file, content);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] migrated() throws IOException {
        Path root = Files.createTempDirectory("faasimage-migrated");
        try (DataDirectory data = DataDirectory.open(root)) {
            // H2 writes the file whole when the last connection closes.
            Flyway.configure()
                    .dataSource(data.jdbcUrl(), "sa", "")
                    .locations("classpath:db/migration", "classpath:db/vendor/h2")
                    .load()
                    .migrate();
            return Files.readAllBytes(root.resolve(FILE));
        } finally {
            FileSystemUtils.deleteRecursively(root);
        }
    }
}

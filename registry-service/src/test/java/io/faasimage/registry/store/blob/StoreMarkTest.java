package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.registry.TestService;
import io.faasimage.registry.platform.config.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

class StoreMarkTest {
    /** The data directory of a service that was started once and stopped. */
    @TempDir
    private static Path seed;

    @TempDir
    Path data;

    @TempDir
    Path other;

    @BeforeAll
    static void startOnce() {
        TestService.start(seed).close();
    }

    @BeforeEach
    void copySeed() throws IOException {
        FileSystemUtils.copyRecursively(seed, data);
    }

    private static void assertRefused(Path data, String reason, String... options) {
        assertThatThrownBy(() -> TestService.start(data, options).close())
                .rootCause()
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining(reason);
    }

    /** As two services do that were given one database. */
    private static String databaseOf(Path data) {
        return "--spring.datasource.url=jdbc:h2:async:" + data.resolve("registry")
                + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH";
    }

    @Test
    void aServiceStartsWithTheBlobsOfItsDatabaseAlone() throws Exception {
        TestService.start(data).close();
        TestService.start(other).close();
        byte[] mark = Files.readAllBytes(data.resolve("store/id"));
        assertThat(Files.readAllBytes(other.resolve("store/id"))).isNotEqualTo(mark);
        assertRefused(other, "the blobs of another database", databaseOf(data));
        Files.delete(other.resolve("store/id"));
        assertRefused(other, "has no 'store/id'", databaseOf(data));
        assertThat(other.resolve("store/id")).doesNotExist();
        Files.write(other.resolve("store/id"), mark);
        TestService.start(other, databaseOf(data)).close();
    }

    @Test
    void filesThatAnotherDatabaseNamesAreNotRemoved() throws Exception {
        Path pack = Files.writeString(data.resolve("packs/pack"), "theirs");
        assertRefused(data, "the blobs of another database", databaseOf(other));
        assertThat(pack).exists();
    }

    @Test
    void aServiceThatWasKilledBeforeItPutTheMarkThereGoesOn() throws Exception {
        try (TestService service = TestService.start(data)) {
            service.part(JdbcClient.class)
                    .sql("UPDATE store SET placed = FALSE")
                    .update();
        }
        Files.delete(data.resolve("store/id"));
        TestService.start(data).close();
        TestService.start(data).close();
        Files.delete(data.resolve("store/id"));
        assertRefused(data, "has no 'store/id'");
    }
}

package io.faasimage.registry.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.image.RegisteredImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The first start on a database whose plans do not say what they need. */
@Timeout(120)
class UpgradeTest {
    private static final TestContent FIRST = TestContent.of(2, 2_000, Segment.FUNC, true);
    private static final TestContent SECOND = TestContent.of(3, 3_000, Segment.FUNC, true);
    private static final TestContent THIRD = TestContent.of(4, 4_000, Segment.FUNC, true);

    /** Makes the tables what they were in version 60. */
    private static final List<String> BACK = List.of(
            "DROP TABLE plan_statements",
            "DROP TABLE layer_statements",
            "DROP TABLE plan_blobs",
            "DROP TABLE blobs",
            "DROP INDEX traces_by_digest",
            "DROP INDEX image_layers_by_layer",
            "ALTER TABLE objects DROP COLUMN damaged",
            "ALTER TABLE replicas ADD COLUMN collecting BOOLEAN DEFAULT FALSE NOT NULL",
            "CREATE TABLE garbage (kind VARCHAR(16) NOT NULL, name TEXT NOT NULL, since BIGINT NOT NULL,"
                    + " PRIMARY KEY (kind, name))",
            "INSERT INTO garbage SELECT 'PLAN', '" + "0".repeat(64) + "', seen FROM garbage_time",
            "DROP TABLE start_profiles",
            "ALTER TABLE traces DROP COLUMN range_runs",
            "DROP TABLE tokens",
            "DROP TABLE library_reads",
            "DROP TABLE predictions",
            "ALTER TABLE plans DROP COLUMN prediction",
            "ALTER TABLE images DROP COLUMN repository",
            "DROP TABLE function_images",
            "DROP TABLE audit_log",
            "DROP TABLE tenants",
            "DROP TABLE learnt_caches",
            "ALTER TABLE functions DROP COLUMN learn_caches",
            "DROP TABLE registry_logins",
            "DROP TABLE function_logins",
            "ALTER TABLE images DROP COLUMN index_digest",
            "ALTER TABLE images DROP COLUMN signature",
            "DELETE FROM \"flyway_schema_history\" WHERE CAST(\"version\" AS INT) > 60");

    @TempDir
    private Path data;

    private TestService started() {
        return TestService.start(data, "--faasimage.garbage.interval=1h", "--faasimage.garbage.keep=1h");
    }

    @Test
    void whatPlansOfBeforeNeedStaysAndADamagedOneKeepsEverythingUntilItGoes() throws Exception {
        Path orphan;
        try (TestService service = started()) {
            GarbageTest.planned(service, "first", FIRST);
            RegisteredImage damaged = GarbageTest.planned(service, "second", SECOND);
            GarbageTest.planned(service, "third", THIRD);
            service.client().deleteFunction("third", true);
            service.part(Garbage.class).collect();
            Path plan = data.resolve("plans")
                    .resolve(Digest.parse(String.valueOf(
                                    service.client().image(damaged.digest()).plan()))
                            .hex());
            Files.write(plan, new byte[10]);
            orphan = Files.write(plan.resolveSibling("0".repeat(64)), new byte[10]);
            BACK.forEach(
                    statement -> service.part(JdbcClient.class).sql(statement).update());
        }
        try (TestService service = started()) {
            collectTwice(service);
            assertThat(orphan).doesNotExist();
            assertThat(statuses(service)).containsExactly(200, 200, 200);
            service.client().deleteFunction("second", true);
            collectTwice(service);
            assertThat(statuses(service)).containsExactly(200, 404, 404);
            service.client().deleteFunction("first", true);
            collectTwice(service);
            assertThat(statuses(service)).containsExactly(404, 404, 404);
            assertThat(data.resolve("packs")).isEmptyDirectory();
            assertThat(data.resolve("metadata")).isEmptyDirectory();
        }
    }

    private static void collectTwice(TestService service) {
        service.part(Garbage.class).collect();
        GarbageTest.age(service);
        service.part(Garbage.class).collect();
    }

    private static List<Integer> statuses(TestService service) throws Exception {
        return List.of(
                GarbageTest.status(service, FIRST),
                GarbageTest.status(service, SECOND),
                GarbageTest.status(service, THIRD));
    }
}

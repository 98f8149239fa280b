package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.job.JobInfo;
import io.faasimage.registry.OnPostgres;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link JobRetriesTest} on PostgreSQL, which may end connections. */
class JobRetriesOnPostgresIT extends JobRetriesTest {
    @RegisterExtension
    static final OnPostgres DATABASE = new OnPostgres();

    private static String asked(Connection connection, String query) throws IOException {
        synchronized (connection) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                return rows.next() ? rows.getString(1) : "";
            } catch (SQLException e) {
                throw new IOException(e);
            }
        }
    }

    @Test
    void aDatabaseThatEndsAllSessionsFailsNoJob() throws Exception {
        TestService service = withLaterRetries();
        Map<String, String> settings = DATABASE.settings(service.data());
        try (Connection watcher = DriverManager.getConnection(
                settings.get("spring.datasource.url"), settings.get("spring.datasource.username"), "")) {
            RegisteredImage image = TestJobs.register(service, "ended");
            AtomicInteger runs = new AtomicInteger();
            service.refactoring().interfere(running -> {
                if (runs.incrementAndGet() <= 4) {
                    asked(
                            watcher,
                            "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <>"
                                    + " pg_backend_pid()"
                                    + " AND backend_type = 'client backend' AND datname = current_database()");
                }
            });
            JobInfo job = service.client().postTrace(TestService.trace(image.topChain(), 5));
            String state = "";
            while (!state.equals("DONE")) {
                assertThat(state).isNotEqualTo("FAILED");
                state = asked(watcher, "SELECT state FROM jobs WHERE id = '" + job.id() + "'");
            }
            assertThat(runs).hasPositiveValue();
        }
    }
}

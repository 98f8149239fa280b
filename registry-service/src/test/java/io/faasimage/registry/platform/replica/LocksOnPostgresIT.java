package io.faasimage.registry.platform.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.registry.OnPostgres;
import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.platform.problem.ProblemKind;
import io.faasimage.registry.platform.replica.DatabaseLocks.Name;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/** {@link LocksTest} on PostgreSQL, where there are other services, which may stand still. */
@ExtendWith(OnPostgres.class)
class LocksOnPostgresIT extends LocksTest {
    /** The locks of another service, which has no patience. */
    private DatabaseLocks locks(Duration wait, Duration standstill) {
        return new DatabaseLocks(
                service.part(DataSource.class), service.part(TransactionOperations.class), wait, standstill);
    }

    private static void assertTooLong(Supplier<?> body) {
        assertThatThrownBy(body::get)
                .isInstanceOfSatisfying(
                        ProblemException.class, e -> assertThat(e.kind()).isEqualTo(ProblemKind.BUSY))
                .hasMessageContaining("'trace-files'");
    }

    @Test
    void whoStandsStillLosesTheLockAndWhoWaitsForItIsToldToComeAgain() throws Exception {
        DatabaseLocks still = locks(Duration.ofMillis(100), Duration.ofSeconds(5));
        DatabaseLocks other = locks(Duration.ofMillis(100), Duration.ofMinutes(1));
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Future<String> first = threads.submit(() -> still.holding(
                Name.TRACE_FILES,
                () -> called(() -> {
                    begun.countDown();
                    goOn.await();
                    return "done";
                })));
        begun.await();
        assertTooLong(() -> still.holding(Name.TRACE_FILES, () -> "mine"));
        assertTooLong(() -> other.holding(Name.TRACE_FILES, () -> "mine"));
        assertTooLong(() -> other.inTransaction(Name.TRACE_FILES, () -> "mine"));
        assertThat(locks(Duration.ofMinutes(1), Duration.ofMinutes(1)).inTransaction(Name.TRACE_FILES, () -> "mine"))
                .isEqualTo("mine");
        goOn.countDown();
        assertThat(first.get()).isEqualTo("done");
        assertThat(still.holding(Name.TRACE_FILES, () -> "mine")).isEqualTo("mine");
    }

    @Test
    void aRequestIsToldToComeAgainWhileAnotherServiceStandsStill() throws Exception {
        try (Connection still = service.part(DataSource.class).getConnection();
                Statement statement = still.createStatement()) {
            still.setAutoCommit(false);
            statement.execute("SELECT name FROM locks WHERE name = 'traces' FOR UPDATE");
            assertBusy(this::registered);
            still.rollback();
        }
        registered();
    }

    @Test
    void eachEndIsToNoticeThatTheOtherIsGone() throws Exception {
        assertThat(service.part(JdbcClient.class)
                        .sql("SHOW tcp_keepalives_idle")
                        .query(String.class)
                        .single())
                .isEqualTo("10");
        try (Connection connection = service.part(DataSource.class).getConnection()) {
            assertThat(connection.getNetworkTimeout()).isEqualTo(300_000);
        }
    }
}

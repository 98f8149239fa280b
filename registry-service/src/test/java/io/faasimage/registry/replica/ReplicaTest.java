package io.faasimage.registry.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.registry.TestService;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

class ReplicaTest {
    @TempDir
    private Path data;

    private TestService service;
    private Replica replica;
    private JdbcClient jdbc;

    @BeforeEach
    void start() {
        service = TestService.start(data);
        replica = service.part(Replica.class);
        jdbc = service.part(JdbcClient.class);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private boolean isMarked() {
        return jdbc.sql("SELECT COUNT(*) FROM replicas WHERE collecting")
                        .query(Integer.class)
                        .single()
                > 0;
    }

    @Test
    void aRemovalGoesOnWhileTheServiceBeatsAndIsToldOnlyMeanwhile() {
        assertThat(replica.mayRemove()).isFalse();
        assertThat(replica.collectAlone(() -> {
                    assertThat(replica.mayRemove()).isTrue();
                    replica.beat();
                    assertThat(replica.mayRemove()).isTrue();
                }))
                .isTrue();
        assertThat(isMarked()).isFalse();
        assertThat(replica.mayRemove()).isFalse();
    }

    @Test
    void aRemovalOfAServiceThatWasTakenForDeadDoesNotGoOnWhenItIsBack() {
        replica.collectAlone(() -> {
            jdbc.sql("DELETE FROM replicas").update();
            assertThat(replica.mayRemove()).isFalse();
            replica.beat();
            assertThat(replica.mayRemove()).isFalse();
        });
        assertThat(replica.collectAlone(() -> assertThat(replica.mayRemove()).isTrue()))
                .isTrue();
    }

    @Test
    void aServiceThatIsTakenForDeadBeginsNoRemoval() {
        replica.stop();
        assertThat(replica.collectAlone(() -> {
                    throw new AssertionError("removes");
                }))
                .isFalse();
    }

    @Test
    void aMarkThatCouldNotBeTakenAwayGoesWithTheNextBeat() {
        assertThatThrownBy(() -> replica.collectAlone(() -> {
                    jdbc.sql("ALTER TABLE replicas RENAME TO hidden").update();
                    throw new IllegalStateException("the removal fails");
                }))
                .hasMessage("the removal fails");
        jdbc.sql("ALTER TABLE hidden RENAME TO replicas").update();
        assertThat(isMarked()).isTrue();
        replica.beat();
        assertThat(isMarked()).isFalse();
    }
}

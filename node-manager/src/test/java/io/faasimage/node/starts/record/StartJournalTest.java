package io.faasimage.node.starts.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.start.StartRecord;
import io.faasimage.node.link.event.Event;
import io.faasimage.node.link.outbox.Outbox;
import io.faasimage.testing.Wait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records on their way to the registry, and those that do not get there. */
@Timeout(60)
class StartJournalTest extends AbstractRecordsTest {
    @Test
    void startsDuringAnOutageArriveOnceWhenItIsOver() throws Exception {
        service.status = 503;
        IntStream.range(0, 50).forEach(i -> startOrdinary("key" + i));
        Wait.until("all on the disk", () -> waiting() == 50);
        service.status = 200;
        Wait.until("all sent", () -> waiting() == 0);
        assertThat(service.records).hasSize(50);
        assertThat(service.records).extracting(StartRecord::id).doesNotHaveDuplicates();
        assertThat(service.batches).as("sent together").hasSizeLessThan(10);
        assertThat(journal.lost()).isZero();
    }

    @Test
    void whatAKilledProcessHadSeenIsToldByTheNext() throws Exception {
        recorder.close();
        journal.close();
        open(Duration.ofHours(1));
        startOrdinary("key");
        Path open = config.directory().resolve("open");
        Wait.until(
                "the start on the disk", () -> open.toFile().list((_, name) -> !name.startsWith(".tmp-")).length == 1);
        // Nothing else is written by a process that is killed.
        recorder.close();
        journal.close();
        assertThat(service.records).isEmpty();
        open(Duration.ofHours(1));
        assertThat(only().phases().mayStart()).isNotNull();
        assertThat(open).isEmptyDirectory();
    }

    @Test
    void theOldestGiveWayWhenTheDiskHasEnoughAndAreCounted() throws Exception {
        service.status = 503;
        IntStream.range(0, 130).forEach(i -> journal.ended(record("id-" + i, null)));
        assertThat(waiting()).isEqualTo(100);
        assertThat(journal.lost()).isEqualTo(30);
        service.status = 200;
        Wait.until("the newest", () -> waiting() == 0);
        assertThat(service.records.getLast().id()).isEqualTo("id-129");
    }

    @Test
    void bytesAreBoundedAsWell() throws Exception {
        journal.close();
        config = new Outbox.Config(
                "record",
                root.resolve("small"),
                100,
                5_000,
                10,
                64 << 10,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        service.status = 503;
        open(Duration.ofMillis(20));
        IntStream.range(0, 20).forEach(i -> journal.ended(record("id-" + i, "x".repeat(900))));
        assertThat(waiting()).isBetween(1, 5);
        assertThat(journal.lost()).isEqualTo(20 - waiting());
    }

    @Test
    void aRecordThatIsRefusedDoesNotHoldUpTheOthers() throws Exception {
        service.status = 503;
        service.refused = "bad";
        for (int i = 0; i < 5; i++) {
            journal.ended(record("id-" + i, i == 2 ? "bad" : "good"));
        }
        service.status = 200;
        Wait.until("all but one", () -> waiting() == 0);
        assertThat(service.records)
                .extracting(StartRecord::id)
                .containsExactlyInAnyOrder("id-0", "id-1", "id-3", "id-4");
        assertThat(events.recent()).extracting(Event::text).anyMatch(text -> text.contains("rejected the record"));
    }
}

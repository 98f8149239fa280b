package io.faasimage.node.starts.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.StartMode;
import io.faasimage.api.rest.Json;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.outbox.Outbox;
import io.faasimage.node.link.service.SmallService;
import io.faasimage.node.link.start.StartEvent;
import io.faasimage.node.plans.plan.PlanStore;
import io.faasimage.node.plans.plan.PlanTrust;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.Pulls;
import io.faasimage.store.ObjectStore;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A recorder of starts, and a registry service that receives its records. */
abstract class AbstractRecordsTest {
    @TempDir
    Path root;

    final Events events = new Events(100, InstantSource.system(), Events.Log.NONE);
    SmallService registry;
    RecordService service;
    ObjectStore store;
    PlanStore plans;
    Pulls pulls;
    Outbox.Config config;
    StartJournal journal;
    StartRecorder recorder;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
        service = new RecordService();
        store = ObjectStore.open(root, "node");
        plans = PlanStore.open(root, PlanTrust.EVERY_PLAN, events, InstantSource.system());
        pulls = new Pulls(
                registry.link(Duration.ofSeconds(5)), store, PullConfig.standard(0), events, InstantSource.system());
        config = new Outbox.Config(
                "record",
                root.resolve("records"),
                100,
                1 << 20,
                StartRecord.MAX_BATCH,
                64 << 10,
                Duration.ofMillis(1),
                Duration.ofMillis(20));
        open(Duration.ofMillis(20));
    }

    final void open(Duration window) throws IOException {
        journal = new StartJournal(config, "node-1", service.link(), pulls, events);
        recorder = new StartRecorder(
                window, plans, pulls, StartMode.EARLY, journal, record -> {}, events, InstantSource.system());
    }

    @AfterEach
    void stop() throws IOException {
        recorder.close();
        journal.close();
        pulls.close();
        store.close();
        registry.close();
        service.close();
    }

    /** Starts are watched for long enough that the later steps on this thread are within the window. */
    void watchLonger() throws IOException {
        recorder.close();
        journal.close();
        open(Duration.ofSeconds(1));
    }

    static ChainId chain(String name) {
        return ChainId.ofBase(Digest.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    void requested(String key, List<ChainId> layers, Optional<ChainId> planned) {
        recorder.accept(new StartEvent.Requested(key, layers, planned));
    }

    void mayStart(String key) {
        recorder.accept(new StartEvent.MayStart(key));
    }

    void startOrdinary(String key) {
        requested(key, List.of(chain("layer")), Optional.empty());
        mayStart(key);
    }

    StartRecord only() {
        Wait.until("a record", () -> !service.records.isEmpty());
        assertThat(service.records).hasSize(1);
        return service.records.getFirst();
    }

    int waiting() {
        try {
            return journal.waiting();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static StartRecord record(String id, @org.jspecify.annotations.Nullable String reason) {
        String start = "{\"id\":\"%s\",\"startedAt\":\"%s\",\"class\":\"full\",\"reason\":%s}"
                .formatted(id, Instant.now(), reason == null ? null : "\"" + reason + "\"");
        return Json.mapper().readValue(start, StartRecord.class);
    }
}

package io.faasimage.node.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.image.StartMode;
import io.faasimage.api.node.NodeReport;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.event.Event;
import io.faasimage.node.event.Events;
import io.faasimage.node.outbox.Outbox;
import io.faasimage.node.plan.PlanStore;
import io.faasimage.node.plan.StoredPlan;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullConfig;
import io.faasimage.node.pull.PullReport;
import io.faasimage.node.pull.Pulls;
import io.faasimage.node.service.SamplePlan;
import io.faasimage.node.service.SmallService;
import io.faasimage.node.span.SpanList;
import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartEvent;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of starts from what was seen to the registry. */
@Timeout(60)
class RecordsTest {
    /** No process has this number. */
    private static final int GONE = Integer.MAX_VALUE;

    @TempDir
    private Path root;

    private final SpanList spans = new SpanList();
    private final Events events = new Events(100, InstantSource.system(), Events.Log.NONE);
    private SmallService registry;
    private RecordService service;
    private ObjectStore store;
    private PlanStore plans;
    private Pulls pulls;
    private Outbox.Config config;
    private StartJournal journal;
    private StartRecorder recorder;

    @BeforeEach
    void start() throws IOException {
        registry = new SmallService();
        service = new RecordService();
        store = ObjectStore.open(root, "node");
        plans = PlanStore.open(root, events, InstantSource.system());
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

    private void open(Duration window) throws IOException {
        journal = new StartJournal(config, "node-1", service.link(), pulls, events);
        StartSpans startSpans = new StartSpans(spans);
        recorder = new StartRecorder(
                window,
                new OpenStarts(plans, pulls, startSpans, InstantSource.system()),
                new RecordBuilder(plans, new StartSearch(plans, pulls, events), StartMode.EARLY),
                journal,
                startSpans,
                events);
        pulls.demand().listen(demanded -> recorder.accept(new StartEvent.ObjectDemanded(demanded)));
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

    /** Starts are watched for long enough that what follows on this thread is within it. */
    private void watchLonger() throws IOException {
        recorder.close();
        journal.close();
        open(Duration.ofSeconds(1));
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    private static ChainId chain(String name) {
        return ChainId.ofBase(Digest.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    private void requested(String key, List<ChainId> layers, Optional<ChainId> planned) {
        recorder.accept(new StartEvent.Requested(key, layers, planned));
    }

    private void mayStart(String key) {
        recorder.accept(new StartEvent.MayStart(key));
    }

    private void startOrdinary(String key) {
        requested(key, List.of(chain("layer")), Optional.empty());
        mayStart(key);
    }

    private StartRecord only() {
        await("a record", () -> !service.records.isEmpty());
        assertThat(service.records).hasSize(1);
        return service.records.getFirst();
    }

    @Test
    void aPlannedStartTellsWhatWasMeasured() throws Exception {
        SamplePlan sample = new SamplePlan(7, 5, 5, 2_000);
        registry.add(sample);
        long asked = System.nanoTime();
        StoredPlan plan = plans.save(PlanCodec.encode(sample.plan()));
        recorder.accept(new StartEvent.PlanArrived(plan.digest(), asked, asked + 2_000, System.nanoTime(), 333));
        PullReport pull =
                pulls.start(plan.digest(), sample::plan, Part.STARTUP).done().get(20, TimeUnit.SECONDS);
        ChainId top = plan.top().chainId();
        requested("key", List.of(top), Optional.of(top));
        recorder.accept(new StartEvent.PlanMounted(plan.digest()));
        // Before the window begins, so that the fetch may take as long as it likes.
        PlanObject late = sample.plan().rest().getFirst();
        pulls.demand().fetch(late.digest(), () -> {});
        mayStart("key");

        StartRecord record = only();
        assertThat(record.kind()).isEqualTo(StartKind.MISSES);
        assertThat(record.cold()).isTrue();
        assertThat(record.plan()).isEqualTo(plan.digest().toString());
        assertThat(record.image()).isEqualTo(sample.plan().image().toString());
        StartPhases phases = record.phases();
        assertThat(phases.asked()).isZero();
        assertThat(phases.firstByte()).isEqualTo(2);
        assertThat(List.of(phases.planned(), phases.mounted(), phases.mayStart()))
                .isSorted();
        assertThat(phases.lastObject()).isBetween(phases.firstByte(), phases.mayStart());
        assertThat(phases.firstProcess()).as("nobody saw it").isNull();
        assertThat(record.segments().stream().mapToLong(SegmentPull::objects).sum())
                .isEqualTo(pull.objects());
        assertThat(record.segments())
                .allSatisfy(segment -> assertThat(segment.begin()).isLessThanOrEqualTo(segment.end()));
        assertThat(record.foreseen()).isEqualTo(15);
        assertThat(record.coverage()).isEqualTo(15.0 / 16);
        assertThat(record.demands()).singleElement().satisfies(demand -> {
            assertThat(demand.object()).isEqualTo(late.digest().toString());
            assertThat(demand.foreseen()).isFalse();
            assertThat(demand.at()).isGreaterThanOrEqualTo(phases.mounted());
        });
        long single = Objects.requireNonNull(sample.compressed().get(late.digest())).length;
        assertThat(record.bytes()).isEqualTo(333 + pull.wireBytes() + single);
        assertThat(recorder.counts()).isEqualTo(Map.of(StartKind.MISSES, 1L));
    }

    @Test
    void theNextStartOfAPlanHasNoPartInItsPull() throws Exception {
        SamplePlan sample = new SamplePlan(8, 5, 5, 2_000);
        registry.add(sample);
        StoredPlan plan = plans.save(PlanCodec.encode(sample.plan()));
        recorder.accept(
                new StartEvent.PlanArrived(plan.digest(), System.nanoTime(), System.nanoTime(), System.nanoTime(), 1));
        pulls.start(plan.digest(), sample::plan, Part.STARTUP).done().get(20, TimeUnit.SECONDS);
        ChainId top = plan.top().chainId();
        requested("one", List.of(top), Optional.of(top));
        mayStart("one");
        requested("two", List.of(top), Optional.of(top));
        mayStart("two");
        await("both", () -> service.records.size() == 2);
        assertThat(service.records).extracting(StartRecord::cold).containsExactlyInAnyOrder(true, false);
        assertThat(service.records).filteredOn(record -> !record.cold()).allSatisfy(warm -> {
            assertThat(warm.bytes()).isZero();
            assertThat(warm.phases().asked()).isNull();
            assertThat(warm.kind()).isEqualTo(StartKind.LAZY);
        });
    }

    @Test
    void anOrdinaryStartBeginsWithItsFirstLayerAndSaysWhy() {
        recorder.accept(new StartEvent.Unplanned(chain("top"), "the registry has no plan for it (yet)"));
        for (String layer : List.of("base", "top")) {
            recorder.accept(new StartEvent.UnpackBegun(chain(layer)));
            recorder.accept(new StartEvent.UnpackEnded(chain(layer)));
        }
        requested("key", List.of(chain("top"), chain("base")), Optional.empty());
        recorder.accept(new StartEvent.TraceBegun("key"));
        mayStart("key");
        recorder.accept(new StartEvent.TraceEnded(
                "key", OptionalLong.of(System.nanoTime()), OptionalLong.of(System.nanoTime())));
        StartRecord record = only();
        assertThat(record.kind()).isEqualTo(StartKind.FULL);
        assertThat(record.cold()).isTrue();
        assertThat(record.reason()).isEqualTo("the registry has no plan for it (yet)");
        assertThat(record.chain()).isEqualTo(chain("top").toString());
        assertThat(record.bytes()).as("containerd knows them").isNull();
        assertThat(List.of(
                        record.phases().mayStart(),
                        record.phases().firstProcess(),
                        record.phases().ready()))
                .isSorted();
    }

    @Test
    void aRootFileSystemThatCannotBeMadeIsARefusedStart() {
        requested("key", List.of(chain("a")), Optional.empty());
        recorder.accept(new StartEvent.Refused("key", "no loop device"));
        StartRecord record = only();
        assertThat(record.kind()).isEqualTo(StartKind.REFUSED);
        assertThat(record.reason()).isEqualTo("no loop device");
        assertThat(record.phases().mayStart()).isNull();
        assertThat(spans.named("start").end()).isAfter(spans.named("start").begin());
    }

    @Test
    void whatContainerdTellsOfAContainerIsInTheRecordOfItsStart() throws Exception {
        watchLonger();
        assertThat(recorder.awaitsProcess("default")).isFalse();
        requested("default/1/other", List.of(chain("a")), Optional.empty());
        requested("default/2/name", List.of(chain("b")), Optional.empty());
        assertThat(recorder.awaitsProcess("default")).isTrue();
        assertThat(recorder.awaitsProcess("def")).isFalse();
        mayStart("default/2/name");
        Instant begin = Instant.now();
        recorder.accept(new StartEvent.Created("default", "name", begin));
        recorder.accept(new StartEvent.Executed("default", "name", begin.plusMillis(1), GONE));
        recorder.accept(new StartEvent.Executed("default", "name", begin.plusSeconds(100), GONE));
        recorder.accept(new StartEvent.Executed("elsewhere", "other", begin, GONE));
        StartPhases phases = only().phases();
        assertThat(phases.created()).isBetween(phases.mayStart(), phases.firstProcess());
        assertThat(phases.firstProcess()).isLessThan(10_000_000);
        mayStart("default/1/other");
        await("the other", () -> service.records.size() == 2);
        assertThat(service.records.getLast().phases().firstProcess()).isNull();
    }

    /** In a network namespace of its own, and in that of this process. */
    @ParameterizedTest
    @ValueSource(strings = {"--net", "--uts"})
    void aFunctionIsReadyWhenItListensOnTheLastOfItsPorts(String namespace) throws Exception {
        watchLonger();
        String listens = "$| = 1; my @s; for my $port (0, 0) { print qq(x); <STDIN>;"
                + " push @s, IO::Socket::INET->new(Listen => 1, LocalPort => $port) or die } print qq(x); <STDIN>";
        Process function =
                new ProcessBuilder("unshare", namespace, "perl", "-MIO::Socket::INET", "-e", listens).start();
        try (OutputStream go = function.getOutputStream()) {
            assertThat(function.getInputStream().read()).isEqualTo('x');
            requested("default/2/name", List.of(chain("b")), Optional.empty());
            mayStart("default/2/name");
            recorder.accept(new StartEvent.Executed("default", "name", Instant.now(), (int) function.pid()));
            go.write('\n');
            go.flush();
            assertThat(function.getInputStream().read()).isEqualTo('x');
            Instant one = Instant.now();
            go.write('\n');
            go.flush();
            assertThat(function.getInputStream().read()).isEqualTo('x');
            StartRecord record = only();
            long ready = Objects.requireNonNull(record.phases().ready());
            assertThat(record.startedAt().plusNanos(ready * 1000)).isAfter(one);
        } finally {
            function.destroyForcibly();
        }
    }

    @Test
    void aContainerFromTheFutureOfAnotherClockStartsNoEarlierThanItMay() throws Exception {
        watchLonger();
        requested("default/2/name", List.of(chain("b")), Optional.empty());
        mayStart("default/2/name");
        recorder.accept(new StartEvent.Created("default", "name", Instant.EPOCH));
        StartPhases phases = only().phases();
        assertThat(phases.created()).isEqualTo(phases.mayStart());
    }

    @Test
    void aRecordHasItsTraceAndItsSpansHaveTheRecordsTimes() throws Exception {
        watchLonger();
        requested("default/2/name", List.of(chain("b")), Optional.empty());
        mayStart("default/2/name");
        recorder.accept(new StartEvent.Created("default", "name", Instant.now()));
        recorder.accept(new StartEvent.Executed("default", "name", Instant.now(), GONE));
        StartRecord record = only();
        SpanList.Told root = spans.named("start");
        assertThat(record.traceId()).isEqualTo(root.context().orElseThrow().traceId());
        assertThat(root.begin()).isEqualTo(record.startedAt());
        assertThat(root.attributes()).containsEntry("faasimage.start", record.id());
        assertThat(List.of("prepare", "create container", "first process"))
                .allSatisfy(name -> assertThat(spans.named(name).parent()).isEqualTo(root.context()));
        assertThat(spans.named("first process").end())
                .isEqualTo(record.startedAt()
                        .plusNanos(Objects.requireNonNull(record.phases().firstProcess()) * 1000))
                .isEqualTo(root.end());
    }

    @Test
    void aContainerOfTheNameOfAnotherIsAStartOfItsOwn() {
        startOrdinary("name");
        startOrdinary("name");
        await("both", () -> service.records.size() == 2);
    }

    @Test
    void startsDuringAnOutageArriveOnceWhenItIsOver() throws Exception {
        service.status = 503;
        IntStream.range(0, 50).forEach(i -> startOrdinary("key" + i));
        await("all on the disk", () -> waiting() == 50);
        service.status = 200;
        await("all sent", () -> waiting() == 0);
        assertThat(service.records).hasSize(50);
        assertThat(service.records).extracting(StartRecord::id).doesNotHaveDuplicates();
        assertThat(service.batches).as("sent together").hasSizeLessThan(10);
        assertThat(journal.lost()).isZero();
    }

    private int waiting() {
        try {
            return journal.waiting();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whatAKilledProcessHadSeenIsToldByTheNext() throws Exception {
        recorder.close();
        journal.close();
        open(Duration.ofHours(1));
        startOrdinary("key");
        Path open = config.directory().resolve("open");
        await("the start on the disk", () -> open.toFile().list((_, name) -> !name.startsWith(".tmp-")).length == 1);
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
        await("the newest", () -> waiting() == 0);
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
        await("all but one", () -> waiting() == 0);
        assertThat(service.records)
                .extracting(StartRecord::id)
                .containsExactlyInAnyOrder("id-0", "id-1", "id-3", "id-4");
        assertThat(events.recent()).extracting(Event::text).anyMatch(text -> text.contains("rejected the record"));
    }

    private static StartRecord record(String id, @org.jspecify.annotations.Nullable String reason) {
        return new StartRecord(
                id,
                Instant.now(),
                StartKind.FULL,
                reason,
                false,
                null,
                null,
                null,
                null,
                null,
                null,
                StartPhases.NONE,
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                0,
                List.of(),
                List.of());
    }

    @Test
    void aNodeTellsOfItselfAndOfEachEventOnce() throws Exception {
        events.info("test", "before");
        NodeReports reports = new NodeReports(
                new NodeDescription("node-1", "1", "native", Optional.empty()),
                new StoreTiers(store, 1_000),
                plans,
                pulls,
                recorder,
                journal);
        try (Heartbeat heartbeat = new Heartbeat(reports, service.link(), events)) {
            heartbeat.start(Duration.ofMillis(10));
            NodeReport first = service.reports.poll(20, TimeUnit.SECONDS);
            assertThat(first.events()).extracting(NodeReport.NodeEvent::text).containsExactly("before");
            assertThat(first.tiers()).containsExactly(new NodeReport.NodeTier("capacity", 0, 0, 1_000L));
            service.status = 503;
            await("the outage", () -> events.recent().size() > 1);
            service.status = 200;
            service.reports.clear();
            NodeReport after = service.reports.poll(20, TimeUnit.SECONDS);
            assertThat(after.events()).extracting(NodeReport.NodeEvent::text).noneMatch("before"::equals);
            assertThat(after.instance()).isEqualTo(first.instance());
        }
    }
}

package io.faasimage.node.starts.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.SegmentPull;
import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartPhases;
import io.faasimage.api.start.StartRecord;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.PlanCodec;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.node.link.service.SamplePlan;
import io.faasimage.node.link.start.StartEvent;
import io.faasimage.node.plans.plan.StoredPlan;
import io.faasimage.node.pull.Part;
import io.faasimage.node.pull.PullReport;
import io.faasimage.testing.Wait;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Records of starts, from the observations to the registry. */
@Timeout(60)
class RecordsTest extends AbstractRecordsTest {
    @Test
    void aPlannedStartTellsWhatWasMeasured() throws Exception {
        SamplePlan sample = new SamplePlan(7, 5, 5, 2_000);
        registry.add(sample);
        long asked = System.nanoTime();
        StoredPlan plan = plans.save(PlanCodec.encode(sample.plan()), Optional.empty());
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
    void aPartThatThePrefetchListDoesNotHaveIsAMiss() throws Exception {
        SamplePlan sample = new SamplePlan(9, 1, 1, 300_000, List.of(new IndexRange(0, 1)));
        registry.add(sample);
        StoredPlan plan = plans.save(PlanCodec.encode(sample.plan()), Optional.empty());
        ChainId top = plan.top().chainId();
        requested("key", List.of(top), Optional.of(top));
        recorder.accept(new StartEvent.PlanMounted(plan.digest()));
        PlanObject partly = sample.plan().startup().getFirst();
        pulls.demand().fetch(partly.digest(), () -> {});
        mayStart("key");
        StartRecord record = only();
        assertThat(record.kind()).isEqualTo(StartKind.MISSES);
        assertThat(record.misses()).containsExactly(partly.digest().toString());
    }

    @Test
    void theNextStartOfAPlanHasNoPartInItsPull() throws Exception {
        SamplePlan sample = new SamplePlan(8, 5, 5, 2_000);
        registry.add(sample);
        StoredPlan plan = plans.save(PlanCodec.encode(sample.plan()), Optional.empty());
        recorder.accept(
                new StartEvent.PlanArrived(plan.digest(), System.nanoTime(), System.nanoTime(), System.nanoTime(), 1));
        pulls.start(plan.digest(), sample::plan, Part.STARTUP).done().get(20, TimeUnit.SECONDS);
        ChainId top = plan.top().chainId();
        requested("one", List.of(top), Optional.of(top));
        mayStart("one");
        requested("two", List.of(top), Optional.of(top));
        mayStart("two");
        Wait.until("both", () -> service.records.size() == 2);
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
        assertThat(record.phases().refused())
                .isGreaterThanOrEqualTo(record.phases().requested());
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
        recorder.accept(new StartEvent.Executed("default", "name", begin.plusMillis(1)));
        recorder.accept(new StartEvent.Executed("default", "name", begin.plusSeconds(100)));
        recorder.accept(new StartEvent.Executed("elsewhere", "other", begin));
        StartPhases phases = only().phases();
        assertThat(phases.created()).isBetween(phases.mayStart(), phases.firstProcess());
        assertThat(phases.firstProcess()).isLessThan(10_000_000);
        mayStart("default/1/other");
        Wait.until("the other", () -> service.records.size() == 2);
        assertThat(service.records.getLast().phases().firstProcess()).isNull();
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
    void aContainerOfTheNameOfAnotherIsAStartOfItsOwn() {
        startOrdinary("name");
        startOrdinary("name");
        Wait.until("both", () -> service.records.size() == 2);
    }
}

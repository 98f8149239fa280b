package io.faasimage.node.span;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.TraceParent;
import io.faasimage.node.span.StartSpans.Start;
import io.faasimage.testing.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StartSpansTest {
    private static final Optional<TraceParent> HINT =
            Optional.of(new TraceParent("a".repeat(32), "b".repeat(16), true));

    private final SpanList list = new SpanList();
    private final StartSpans spans = new StartSpans(list);

    private Optional<TraceParent> hinted(String name) {
        return CurrentSpan.call(HINT, () -> spans.asks(name));
    }

    private Start starts(String... names) {
        return spans.starts(List.of(names), Instant.now());
    }

    @Test
    void aStartGoesOnWithTheTraceOfTheHintForItsImage() {
        Optional<TraceParent> asked = hinted("top");
        spans.isAlso("top", List.of("plan"));
        assertThat(spans.of("plan")).isEqualTo(asked);
        Start start = starts("plan");
        assertThat(start.traceId()).contains(HINT.get().traceId());
        spans.ended(start, Instant.now());
        assertThat(list.named("start").parent()).isEqualTo(HINT);
        assertThat(spans.of("top")).as("it is over").isEmpty();
    }

    @Test
    void aStartThatWasUnderWayBeforeTheHintIsLinkedToIt() {
        spans.asks("top");
        hinted("top");
        spans.ended(starts("top"), Instant.now());
        assertThat(list.named("start").parent()).isEmpty();
        assertThat(list.named("start").links()).containsExactly(HINT.get());
    }

    @Test
    void twoContainersOfOneImageHaveTracesOfTheirOwn() {
        spans.asks("top");
        assertThat(starts("top").traceId()).isNotEqualTo(starts("top").traceId());
    }

    @Test
    void aHintWhileAnotherContainerStartsIsForTheNextOne() {
        Start first = starts("top", "plan");
        hinted("top");
        spans.isAlso("top", List.of("plan"));
        spans.ended(first, Instant.now());
        assertThat(starts("top", "plan").traceId()).contains(HINT.get().traceId());
    }

    @Test
    void aLayerOfSeveralImagesBelongsToTheFirstThatGoesOn() {
        Optional<TraceParent> base = spans.asks("base");
        spans.isAmong("base", List.of("a", "b"));
        assertThat(spans.asks("b")).isEqualTo(base);
        assertThat(spans.asks("a").orElseThrow().traceId())
                .isNotEqualTo(base.orElseThrow().traceId());
    }

    @Test
    void aStartThatComesLateIsLinkedToWhatWasFetchedForIt() {
        StartSpans impatient = new StartSpans(list, Duration.ofMillis(5));
        Optional<TraceParent> asked = impatient.asks("top");
        Wait.until("the span", () -> list.names().contains("prefetch"));
        impatient.ended(impatient.starts(List.of("top"), Instant.now()), Instant.now());
        assertThat(list.named("start").links()).containsExactly(asked.orElseThrow());
    }

    @Test
    void aQuestionWithoutAPlanIsOver() {
        spans.asks("layer");
        spans.isOrdinary("layer");
        assertThat(list.names()).containsExactly("no plan");
        assertThat(spans.of("layer")).isEmpty();
    }

    @Test
    void anObjectOnDemandIsPartOfTheOnlyStart() {
        Start start = starts("a");
        spans.demanded().close();
        assertThat(list.named("gate: object on demand").parent()).isEqualTo(start.context());
    }

    @Test
    void anObjectOnDemandDuringSeveralStartsIsLinkedToAll() {
        Start a = starts("a");
        Start b = starts("b");
        try (Span _ = spans.demanded()) {
            assertThat(list.names()).isEmpty();
        }
        SpanList.Ended gate = list.named("gate: object on demand");
        assertThat(gate.parent()).isEmpty();
        assertThat(gate.links())
                .containsExactlyInAnyOrder(
                        a.context().orElseThrow(), b.context().orElseThrow());
    }

    @Test
    void nothingIsKeptWhileSpansGoNowhere() {
        assertThat(StartSpans.NONE.asks("top")).isEmpty();
        assertThat(StartSpans.NONE.of("top")).isEmpty();
        assertThat(StartSpans.NONE.starts(List.of("top"), Instant.now()).context())
                .isEmpty();
    }
}

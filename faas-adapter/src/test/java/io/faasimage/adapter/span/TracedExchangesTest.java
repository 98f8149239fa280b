package io.faasimage.adapter.span;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.proxy.ExchangeObserver.ExchangeSpan;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TracedExchangesTest {
    private static final TraceParent CALLER = new TraceParent("a".repeat(32), "b".repeat(16), true);
    private static final TraceParent OWN = new TraceParent("c".repeat(32), "d".repeat(16), true);
    private static final FunctionKey HELLO = new FunctionKey("hello", "openfaas-fn");

    private final List<String> noted = new ArrayList<>();
    private final StartingFunctions starting = new StartingFunctions();
    private final TracedExchanges exchanges = new TracedExchanges(
            (method, uri, authorization) -> Optional.empty(), new ToldSpans(), starting, "openfaas-fn");

    /** Notes the spans that are reported. */
    private final class ToldSpans implements Spans {
        @Override
        public Span begin(String name, Kind kind, Optional<TraceParent> parent, Instant at) {
            noted.add(name + " below " + parent.map(TraceParent::traceId).orElse("none"));
            return new Span() {
                @Override
                public Optional<TraceParent> context() {
                    return parent.or(() -> Optional.of(OWN));
                }

                @Override
                public void rename(String other) {
                    noted.add("is " + other);
                }

                @Override
                public void link(TraceParent other) {
                    noted.add("linked to " + other.traceId());
                }

                @Override
                public void failed(String reason) {
                    noted.add(reason);
                }

                @Override
                public void end(Instant end) {
                    noted.add("ended");
                }
            };
        }

        @Override
        public boolean isOn() {
            return true;
        }

        @Override
        public void close() {
            // Holds nothing.
        }
    }

    private ExchangeSpan trace(String method, String uri) {
        return exchanges.trace(method, uri, null);
    }

    @Test
    void aDeploymentAndAScalingBeginATrace() {
        assertThat(trace("POST", "/system/functions").context()).contains(OWN);
        assertThat(trace("POST", "/system/scale-function/hello").context()).contains(OWN);
        assertThat(noted).containsExactly("deploy below none", "scale below none");
    }

    @Test
    void aCallersTraceGoesOn() {
        exchanges.trace("GET", "/function/hello", CALLER.toString()).over(200);
        assertThat(noted).containsExactly("invoke below " + CALLER.traceId(), "ended");
    }

    @Test
    void whatIsNotATraceIsNone() {
        assertThat(exchanges.trace("GET", "/function/hello", "00-xyz-01").context())
                .isEmpty();
        assertThat(trace("GET", "/function/hello").context()).isEmpty();
        assertThat(trace("GET", "/system/info").context()).isEmpty();
        assertThat(noted).isEmpty();
    }

    @Test
    void invocationsUpToTheFirstAnswerArePartOfTheStart() {
        CurrentSpan.run(Optional.of(OWN), () -> starting.begins(HELLO));
        trace("GET", "/function/another").over(200);
        trace("GET", "/function/hello.openfaas-fn/path?query").over(502);
        trace("GET", "/function/hello?query").over(200);
        trace("GET", "/function/hello").over(200);
        assertThat(noted)
                .containsExactly(
                        "invoke below " + OWN.traceId(),
                        "answered 502",
                        "ended",
                        "invoke below " + OWN.traceId(),
                        "is first answer",
                        "ended");
    }

    @Test
    void theFirstAnswerToACallerWithATraceIsLinkedToTheStart() {
        CurrentSpan.run(Optional.of(OWN), () -> starting.begins(HELLO));
        exchanges.trace("GET", "/function/hello", CALLER.toString()).over(200);
        assertThat(noted)
                .containsExactly(
                        "invoke below " + CALLER.traceId(), "linked to " + OWN.traceId(), "is first answer", "ended");
    }
}

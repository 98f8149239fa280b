package io.faasimage.adapter.span;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.Route;
import io.faasimage.adapter.proxy.ExchangeObserver;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An observer that creates spans around the exchanges of another one. A caller's trace continues; a deployment or a
 * scaling begins one when the caller has none, and the invocations up to the first that succeeds after it are part of
 * that. All others have no span. Thread-safe.
 */
public final class TracedExchanges implements ExchangeObserver {
    private final ExchangeObserver observer;
    private final Spans spans;
    private final String defaultNamespace;

    private final StartingFunctions starting;

    /**
     * Around {@code observer}.
     *
     * @param defaultNamespace of functions that are called without one
     */
    public TracedExchanges(
            ExchangeObserver observer, Spans spans, StartingFunctions starting, String defaultNamespace) {
        this.starting = starting;
        this.observer = observer;
        this.spans = spans;
        this.defaultNamespace = defaultNamespace;
    }

    @Override
    public Optional<Observation> begin(String method, String uri, @Nullable String authorization) {
        return observer.begin(method, uri, authorization);
    }

    @Override
    public ExchangeSpan trace(String method, String uri, @Nullable String traceparent) {
        Optional<TraceParent> caller = TraceParent.parse(traceparent);
        Route route = Route.of(method, uri);
        return switch (route) {
            case DEPLOY, UPDATE, SCALE -> new Traced(route, method, caller, Optional.empty());
            case INVOKE -> invocation(method, uri, caller);
            case DELETE, OTHER ->
                caller.isPresent() ? new Traced(route, method, caller, Optional.empty()) : ExchangeSpan.NONE;
        };
    }

    private ExchangeSpan invocation(String method, String uri, Optional<TraceParent> caller) {
        Optional<FunctionKey> function = FunctionKey.invoked(uri, defaultNamespace);
        Optional<TraceParent> start = function.flatMap(starting::span);
        if (caller.isEmpty() && start.isEmpty()) {
            return ExchangeSpan.NONE;
        }
        Traced exchange =
                new Traced(Route.INVOKE, method, caller.or(() -> start), function.filter(f -> start.isPresent()));
        if (caller.isPresent()) {
            start.ifPresent(exchange.span::link);
        }
        return exchange;
    }

    private final class Traced implements ExchangeSpan {
        private final Span span;
        private final Optional<FunctionKey> first;

        Traced(Route route, String method, Optional<TraceParent> parent, Optional<FunctionKey> first) {
            this.first = first;
            span = spans.begin(route.label(), Spans.Kind.SERVER, parent, Instant.now());
            span.set("http.request.method", method);
            first.ifPresent(function -> span.set("faasimage.function", function.toString()));
        }

        @Override
        public Optional<TraceParent> context() {
            return span.context();
        }

        @Override
        public void over(int status) {
            span.set("http.response.status_code", status);
            if (status == 0 || status >= 500) {
                span.failed(status == 0 ? "not answered" : "answered " + status);
            } else {
                first.ifPresent(this::answered);
            }
            span.close();
        }

        private void answered(FunctionKey function) {
            span.rename("first answer");
            starting.answered(function);
        }
    }
}

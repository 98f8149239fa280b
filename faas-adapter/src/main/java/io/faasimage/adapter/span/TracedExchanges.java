package io.faasimage.adapter.span;

import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.Route;
import io.faasimage.adapter.proxy.ExchangeObserver;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts spans around the exchanges that another observer sees. A caller's trace goes on; a deployment or a scaling begins one when
 * the caller has none, and the invocations up to the first that succeeds after it are part of that. All others have no span.
 * Bounded; thread-safe.
 */
public final class TracedExchanges implements ExchangeObserver {
    private static final int MOST_STARTS = 1000;
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final ExchangeObserver observer;
    private final Spans spans;
    private final String defaultNamespace;

    /** What begins the start of a function, and when; until it has answered. */
    private final Map<FunctionKey, Begun> starts = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FunctionKey, Begun> eldest) {
            return size() > MOST_STARTS;
        }
    };

    private record Begun(TraceParent span, Instant at) {}

    /**
     * Around {@code observer}.
     *
     * @param defaultNamespace of functions that are called without one
     */
    public TracedExchanges(ExchangeObserver observer, Spans spans, String defaultNamespace) {
        this.observer = observer;
        this.spans = spans;
        this.defaultNamespace = defaultNamespace;
    }

    @Override
    public Optional<Observation> begin(String method, String uri, @Nullable String authorization) {
        return observer.begin(method, uri, authorization);
    }

    /** A start of this function begins, for the calling thread's span. */
    public void begins(FunctionKey function) {
        CurrentSpan.get().ifPresent(span -> {
            synchronized (starts) {
                starts.put(function, new Begun(span, Instant.now()));
            }
        });
    }

    @Override
    public ExchangeSpan trace(String method, String uri, @Nullable String traceparent) {
        Optional<TraceParent> caller = TraceParent.parse(traceparent);
        Route route = Route.of(method, uri);
        return switch (route) {
            case DEPLOY, UPDATE, SCALE -> new Told(route, method, caller, Optional.empty());
            case INVOKE -> invocation(method, uri, caller);
            case DELETE, OTHER ->
                caller.isPresent() ? new Told(route, method, caller, Optional.empty()) : ExchangeSpan.NONE;
        };
    }

    private ExchangeSpan invocation(String method, String uri, Optional<TraceParent> caller) {
        Optional<FunctionKey> function =
                FunctionKey.invoked(uri, defaultNamespace).filter(key -> start(key).isPresent());
        Optional<TraceParent> start = function.flatMap(this::start);
        if (caller.isEmpty() && start.isEmpty()) {
            return ExchangeSpan.NONE;
        }
        Told told = new Told(Route.INVOKE, method, caller.or(() -> start), function);
        if (caller.isPresent()) {
            start.ifPresent(told.span::link);
        }
        return told;
    }

    private Optional<TraceParent> start(FunctionKey function) {
        synchronized (starts) {
            Begun begun = starts.get(function);
            return begun != null && begun.at().plus(PATIENCE).isAfter(Instant.now())
                    ? Optional.of(begun.span())
                    : Optional.empty();
        }
    }

    private final class Told implements ExchangeSpan {
        private final Span span;
        private final Optional<FunctionKey> starting;

        Told(Route route, String method, Optional<TraceParent> parent, Optional<FunctionKey> starting) {
            this.starting = starting;
            span = spans.begin(route.label(), Spans.Kind.SERVER, parent, Instant.now());
            span.set("http.request.method", method);
            starting.ifPresent(function -> span.set("faasimage.function", function.toString()));
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
                starting.ifPresent(this::answered);
            }
            span.close();
        }

        private void answered(FunctionKey function) {
            span.rename("first answer");
            synchronized (starts) {
                starts.remove(function);
            }
        }
    }
}

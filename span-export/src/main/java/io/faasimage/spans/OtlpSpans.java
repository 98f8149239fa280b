package io.faasimage.spans;

import io.faasimage.api.span.Span;
import io.faasimage.api.span.Spans;
import io.faasimage.api.span.TraceParent;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Spans of OpenTelemetry's SDK, which its own environment variables configure. A bounded queue is sent by a thread of
 * the SDK; what finds no room in it, or is not taken by the collector, is lost and counted.
 */
final class OtlpSpans implements Spans {
    private static final Logger LOG = System.getLogger(OtlpSpans.class.getName());
    /** The SDK's own default. */
    private static final int QUEUE = 2048;

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final CountedExporter exporter;
    private final Duration lastSpans;

    private OtlpSpans(SdkTracerProvider provider, CountedExporter exporter, Duration lastSpans) {
        this.provider = provider;
        this.exporter = exporter;
        this.lastSpans = lastSpans;
        this.tracer = provider.get("io.faasimage");
    }

    /** Spans of {@code service}; what the environment does not say is as small as it can be. */
    static OtlpSpans open(String service, Map<String, String> environment, Duration lastSpans) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "otel.service.name", service,
                "otel.metrics.exporter", "none",
                "otel.logs.exporter", "none",
                "otel.exporter.otlp.protocol", "http/protobuf",
                "otel.exporter.otlp.timeout", "5000",
                "otel.bsp.schedule.delay", "1000",
                "otel.attribute.value.length.limit", "1000"));
        if (environment.containsKey("OTEL_TRACES_SAMPLER_ARG")) {
            settings.put("otel.traces.sampler", "parentbased_traceidratio");
        }
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_") && !value.isBlank()) {
                settings.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        CountedExporter[] counted = new CountedExporter[1];
        SdkTracerProvider provider = AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesCustomizer(properties -> settings)
                .addSpanExporterCustomizer((exporter, properties) -> {
                    counted[0] = new CountedExporter(exporter, properties.getInt("otel.bsp.max.queue.size", QUEUE));
                    return counted[0];
                })
                .addTracerProviderCustomizer((builder, properties) -> builder.addSpanProcessor(counted[0].endings()))
                .build()
                .getOpenTelemetrySdk()
                .getSdkTracerProvider();
        return new OtlpSpans(provider, counted[0], lastSpans);
    }

    @Override
    public Span begin(String name, Kind kind, Optional<TraceParent> parent, Instant at) {
        SpanBuilder builder = tracer.spanBuilder(name)
                .setSpanKind(kind == Kind.SERVER ? SpanKind.SERVER : SpanKind.INTERNAL)
                .setStartTimestamp(at);
        if (parent.isPresent()) {
            builder.setParent(Context.root().with(io.opentelemetry.api.trace.Span.wrap(context(parent.get()))));
        } else {
            builder.setNoParent();
        }
        return new Running(builder.startSpan());
    }

    private static SpanContext context(TraceParent parent) {
        TraceFlags flags = parent.sampled() ? TraceFlags.getSampled() : TraceFlags.getDefault();
        return SpanContext.createFromRemoteParent(parent.traceId(), parent.spanId(), flags, TraceState.getDefault());
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public long lost() {
        return exporter.lost();
    }

    /** Spans that the collector has not taken (yet). */
    long missing() {
        return exporter.missing();
    }

    @Override
    public void close() {
        provider.shutdown().join(lastSpans.toMillis(), TimeUnit.MILLISECONDS);
        if (missing() > 0) {
            LOG.log(Level.WARNING, "{0} of {1} spans have not reached the collector", missing(), exporter.ended());
        }
    }

    private record Running(io.opentelemetry.api.trace.Span span) implements Span {
        @Override
        public Optional<TraceParent> context() {
            SpanContext context = span.getSpanContext();
            return Optional.of(new TraceParent(context.getTraceId(), context.getSpanId(), context.isSampled()));
        }

        @Override
        public Span set(String name, String value) {
            span.setAttribute(name, value);
            return this;
        }

        @Override
        public Span set(String name, long value) {
            span.setAttribute(name, value);
            return this;
        }

        @Override
        public void rename(String name) {
            span.updateName(name);
        }

        @Override
        public void link(TraceParent other) {
            span.addLink(OtlpSpans.context(other));
        }

        @Override
        public void failed(String reason) {
            span.setStatus(StatusCode.ERROR, reason.length() > 1000 ? reason.substring(0, 1000) : reason);
        }

        @Override
        public void end(Instant at) {
            span.end(at);
        }
    }
}

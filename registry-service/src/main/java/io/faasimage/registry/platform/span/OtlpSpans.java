package io.faasimage.registry.platform.span;

import io.faasimage.format.id.Digest;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.SamplingDecision;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Spans that OpenTelemetry's SDK sends by OTLP over HTTP, as its own environment variables configure. A bounded queue
 * is sent by a thread of the SDK; traces for which it has no room, and batches that the collector does not accept, are
 * lost and counted.
 */
final class OtlpSpans implements Spans {
    private static final Logger LOG = System.getLogger(OtlpSpans.class.getName());
    private static final ScopedValue<String> TRACE_ID = ScopedValue.newInstance();
    private static final long LAST_SPANS_MILLIS = 1000;
    private static final int LONGEST_TEXT = 1000;
    /** A node that was cut off reports up to 200 starts at once. */
    private static final int QUEUE = 8192;

    private final SdkTracerProvider provider;
    private final CountedExporter exporter;
    private final Tracer tracer;

    private OtlpSpans(SdkTracerProvider provider, CountedExporter exporter) {
        this.provider = provider;
        this.exporter = exporter;
        this.tracer = provider.get("io.faasimage");
    }

    /** Spans for the collector that the environment names. */
    static OtlpSpans open(Map<String, String> environment) {
        @Nullable CountedExporter[] counted = new CountedExporter[1];
        SdkTracerProvider provider = AutoConfiguredOpenTelemetrySdk.builder()
                .disableShutdownHook()
                .addPropertiesCustomizer(_ -> settings(environment))
                .addSpanExporterCustomizer((exporter, properties) -> {
                    CountedExporter counting =
                            new CountedExporter(exporter, properties.getInt("otel.bsp.max.queue.size", QUEUE));
                    counted[0] = counting;
                    return counting;
                })
                .addTracerProviderCustomizer((builder, _) -> builder.setIdGenerator(new Ids()))
                .build()
                .getOpenTelemetrySdk()
                .getSdkTracerProvider();
        return new OtlpSpans(provider, Objects.requireNonNull(counted[0]));
    }

    private static Map<String, String> settings(Map<String, String> environment) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "otel.service.name", "faasimage-registry-service",
                "otel.metrics.exporter", "none",
                "otel.logs.exporter", "none",
                "otel.exporter.otlp.protocol", "http/protobuf",
                "otel.exporter.otlp.timeout", "5000",
                "otel.bsp.schedule.delay", "1000",
                "otel.bsp.max.queue.size", Integer.toString(QUEUE),
                "otel.attribute.value.length.limit", Integer.toString(LONGEST_TEXT)));
        if (environment.containsKey("OTEL_TRACES_SAMPLER_ARG")) {
            settings.put("otel.traces.sampler", "parentbased_traceidratio");
        }
        environment.forEach((name, value) -> {
            if (name.startsWith("OTEL_") && !value.isBlank()) {
                settings.put(name.toLowerCase(Locale.ROOT).replace('_', '.'), value);
            }
        });
        return settings;
    }

    /** A hash: samplers choose by an ID's bits, of which those of a UUID are not all random. */
    @Override
    public Optional<String> traceId(String subject) {
        String id = Digest.of(subject.getBytes(StandardCharsets.UTF_8)).hex().substring(0, 32);
        return Optional.of(id).filter(this::isSampled);
    }

    private boolean isSampled(String id) {
        return provider.getSampler()
                        .shouldSample(Context.root(), id, "", SpanKind.INTERNAL, Attributes.empty(), List.of())
                        .getDecision()
                == SamplingDecision.RECORD_AND_SAMPLE;
    }

    @Override
    public void export(String traceId, FinishedSpan root) {
        if (exporter.admit(root.count())) {
            ScopedValue.where(TRACE_ID, traceId).run(() -> emit(root, Context.root()));
        }
    }

    private void emit(FinishedSpan finished, Context parent) {
        Span span = tracer.spanBuilder(finished.name())
                .setParent(parent)
                .setStartTimestamp(finished.begin())
                .startSpan();
        finished.attributes().forEach((name, value) -> {
            if (value instanceof Long number) {
                span.setAttribute(name, number);
            } else {
                span.setAttribute(name, value.toString());
            }
        });
        @Nullable String failure = finished.failure();
        if (failure != null) {
            span.setStatus(StatusCode.ERROR, failure.substring(0, Math.min(failure.length(), LONGEST_TEXT)));
        }
        Context context = parent.with(span);
        finished.children().forEach(child -> emit(child, context));
        span.end(finished.end());
    }

    @Override
    public long lost() {
        return exporter.lost();
    }

    @Override
    public void close() {
        provider.shutdown().join(LAST_SPANS_MILLIS, TimeUnit.MILLISECONDS);
        long missing = lost() + exporter.waiting();
        if (missing > 0) {
            LOG.log(Level.WARNING, "{0} spans have not reached the collector", missing);
        }
    }

    /** The generator of IDs: the trace's is given. */
    private static final class Ids implements IdGenerator {
        @Override
        public String generateTraceId() {
            return TRACE_ID.get();
        }

        @Override
        public String generateSpanId() {
            return IdGenerator.random().generateSpanId();
        }
    }
}

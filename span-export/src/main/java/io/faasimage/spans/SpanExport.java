package io.faasimage.spans;

import io.faasimage.api.span.Spans;
import java.time.Duration;
import java.util.Map;

/** The decision whether a process exports spans, by OpenTelemetry's own environment variables. */
public final class SpanExport {
    private static final Duration LAST_SPANS = Duration.ofSeconds(1);

    private SpanExport() {}

    /**
     * Where this process's spans go: to the collector that {@code OTEL_EXPORTER_OTLP_ENDPOINT} names, or nowhere.
     *
     * @param service its {@code service.name}
     * @throws RuntimeException when one of the variables has a value that cannot be used
     */
    public static Spans fromEnvironment(String service) {
        return of(service, System.getenv(), LAST_SPANS);
    }

    /**
     * As above, with these variables.
     *
     * @param lastSpans how long the close waits for the collector to take the last spans
     */
    static Spans of(String service, Map<String, String> environment, Duration lastSpans) {
        return isWanted(environment) ? OtlpSpans.open(service, environment, lastSpans) : Spans.NONE;
    }

    private static boolean isWanted(Map<String, String> environment) {
        boolean endpoint = isSet(environment, "OTEL_EXPORTER_OTLP_ENDPOINT")
                || isSet(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
        return endpoint
                && !"true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"))
                && !"none".equalsIgnoreCase(environment.get("OTEL_TRACES_EXPORTER"));
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }
}

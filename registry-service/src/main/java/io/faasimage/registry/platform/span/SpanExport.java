package io.faasimage.registry.platform.span;

import java.util.Map;

/** The decision whether spans are exported, by OpenTelemetry's own environment variables. */
public final class SpanExport {
    private SpanExport() {}

    /**
     * The collector that {@code OTEL_EXPORTER_OTLP_ENDPOINT} names, or {@link Spans#NONE}.
     *
     * @throws RuntimeException when one of the variables has a value that cannot be used
     */
    public static Spans fromEnvironment() {
        return of(System.getenv());
    }

    static Spans of(Map<String, String> environment) {
        boolean wanted = (isSet(environment, "OTEL_EXPORTER_OTLP_ENDPOINT")
                        || isSet(environment, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))
                && !"true".equalsIgnoreCase(environment.get("OTEL_SDK_DISABLED"))
                && !"none".equalsIgnoreCase(environment.get("OTEL_TRACES_EXPORTER"));
        return wanted ? OtlpSpans.open(environment) : Spans.NONE;
    }

    private static boolean isSet(Map<String, String> environment, String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }
}

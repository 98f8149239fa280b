package io.faasimage.spans;

import io.faasimage.api.span.Spans;
import java.util.Map;

/** Decides by OpenTelemetry's own environment variables whether a process sends spans. */
public final class SpanExport {
    private SpanExport() {}

    /**
     * Where this process's spans go: to the collector that {@code OTEL_EXPORTER_OTLP_ENDPOINT} names, or nowhere.
     *
     * @param service its {@code service.name}
     * @throws RuntimeException when one of the variables has a value that cannot be used
     */
    public static Spans fromEnvironment(String service) {
        return of(service, System.getenv());
    }

    /** As above, of these variables. */
    static Spans of(String service, Map<String, String> environment) {
        return isWanted(environment) ? OtlpSpans.open(service, environment) : Spans.NONE;
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

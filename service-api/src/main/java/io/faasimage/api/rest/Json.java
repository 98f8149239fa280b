package io.faasimage.api.rest;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The one JSON configuration of faasimage's processes: unknown fields are tolerated, times are ISO 8601. */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private Json() {}

    /** The shared, thread-safe mapper. */
    public static JsonMapper mapper() {
        return MAPPER;
    }
}

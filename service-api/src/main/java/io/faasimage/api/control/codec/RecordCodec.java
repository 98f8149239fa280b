package io.faasimage.api.control.codec;

import io.faasimage.api.rest.Json;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;

/**
 * A codec that binds the fields of a JSON object to the components of a record. The gate uses none: data binding would
 * keep more classes in its memory than its few messages are worth.
 *
 * @param type the record
 */
public record RecordCodec<T>(Class<T> type) implements ObjectCodec<T> {
    @Override
    public void write(T message, JsonGenerator out) {
        Json.mapper().writeValue(out, message);
    }

    @Override
    public void writeFields(T message, JsonGenerator out) {
        Json.mapper().valueToTree(message).properties().forEach(field -> {
            out.writeName(field.getKey());
            Json.mapper().writeTree(out, field.getValue());
        });
    }

    @Override
    public T read(JsonParser in) {
        // Other values of the enclosing object or array may follow.
        return Json.mapper()
                .readerFor(type)
                .without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .readValue(in);
    }
}

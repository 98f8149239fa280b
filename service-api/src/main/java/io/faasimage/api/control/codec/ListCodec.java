package io.faasimage.api.control.codec;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A codec of JSON arrays.
 *
 * @param item codec of their elements
 */
public record ListCodec<T>(Codec<T> item) implements Codec<List<T>> {
    @Override
    public void write(List<T> message, JsonGenerator out) {
        out.writeStartArray();
        message.forEach(each -> item.write(each, out));
        out.writeEndArray();
    }

    @Override
    public List<T> read(JsonParser in) {
        if (!in.isExpectedStartArrayToken()) {
            throw new IllegalArgumentException("not a JSON array");
        }
        List<T> items = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            items.add(item.read(in));
        }
        return List.copyOf(items);
    }
}

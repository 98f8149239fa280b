package io.faasimage.api.control.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * The fields of one JSON object, for codecs that are written by hand: texts, whole numbers, truth values and objects.
 * Everything else is left out, and so is all of a value that is no object. Immutable.
 */
public final class JsonFields {
    /** The codec of objects that are no more than their fields. */
    public static final ObjectCodec<JsonFields> CODEC = new FieldsCodec();

    private static final JsonFields NONE = new JsonFields(Map.of());

    private final Map<String, Object> values;

    private JsonFields(Map<String, Object> values) {
        this.values = values;
    }

    /** An object with these fields. */
    public static JsonFields of(Map<String, Object> values) {
        return new JsonFields(values);
    }

    /** Reads the value at whose first token {@code in} is. */
    public static JsonFields read(JsonParser in) {
        if (!in.isExpectedStartObjectToken()) {
            in.skipChildren();
            return NONE;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            value(in.nextToken(), in).ifPresent(value -> values.put(name, value));
        }
        return new JsonFields(values);
    }

    private static Optional<Object> value(JsonToken token, JsonParser in) {
        return switch (token) {
            case START_OBJECT -> Optional.of(read(in));
            case VALUE_STRING -> Optional.of(in.getString());
            case VALUE_NUMBER_INT -> Optional.of(in.getLongValue());
            case VALUE_TRUE, VALUE_FALSE -> Optional.of(in.getBooleanValue());
            default -> {
                in.skipChildren();
                yield Optional.empty();
            }
        };
    }

    /** All fields, in their order; those that are objects are maps, too. */
    public Map<String, Object> all() {
        Map<String, Object> all = new LinkedHashMap<>();
        values.forEach((name, value) -> all.put(name, value instanceof JsonFields object ? object.all() : value));
        return all;
    }

    /** Whether there is such a field, of whatever type. */
    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** A text; empty when it is absent or no text. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name))
                .filter(String.class::isInstance)
                .map(String.class::cast);
    }

    /** A whole number; {@code absent} when there is none. */
    public long number(String name, long absent) {
        return values.get(name) instanceof Long number ? number : absent;
    }

    /** A truth value; false when it is absent. */
    public boolean flag(String name) {
        return Boolean.TRUE.equals(values.get(name));
    }

    /** An object; without fields when it is absent. */
    public JsonFields object(String name) {
        return values.get(name) instanceof JsonFields object ? object : NONE;
    }

    private record FieldsCodec() implements ObjectCodec<JsonFields> {
        @Override
        public void writeFields(JsonFields message, JsonGenerator out) {
            message.values.forEach((name, value) -> {
                out.writeName(name);
                // A switch over types would make a class at its first use.
                if (value instanceof Long number) {
                    out.writeNumber(number);
                } else if (value instanceof Boolean truth) {
                    out.writeBoolean(truth);
                } else if (value instanceof JsonFields object) {
                    write(object, out);
                } else {
                    out.writeString(value.toString());
                }
            });
        }

        @Override
        public JsonFields read(JsonParser in) {
            return JsonFields.read(in);
        }
    }
}

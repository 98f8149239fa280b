package io.faasimage.api.control;

import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.codec.ObjectCodec;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** A message without content: a request without arguments, or an answer that only confirms. */
public record Empty() {
    /** The codec of requests without arguments. */
    public static final ObjectCodec<Empty> CODEC = new EmptyCodec("");

    /** The codec of {@code {"name": true}}; when it is read, anything is that. */
    public static ObjectCodec<Empty> saying(String name) {
        return new EmptyCodec(name);
    }

    private record EmptyCodec(String name) implements ObjectCodec<Empty> {
        @Override
        public void writeFields(Empty message, JsonGenerator out) {
            if (!name.isEmpty()) {
                out.writeBooleanProperty(name, true);
            }
        }

        @Override
        public Empty read(JsonParser in) {
            JsonFields.read(in);
            return new Empty();
        }
    }
}

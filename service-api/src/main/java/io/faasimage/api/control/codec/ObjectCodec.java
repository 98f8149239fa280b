package io.faasimage.api.control.codec;

import tools.jackson.core.JsonGenerator;

/** A codec of messages that are JSON objects. */
public interface ObjectCodec<T> extends Codec<T> {
    /** Writes the fields into an object that has been begun, and may have others. */
    void writeFields(T message, JsonGenerator out);

    @Override
    default void write(T message, JsonGenerator out) {
        out.writeStartObject();
        writeFields(message, out);
        out.writeEndObject();
    }
}

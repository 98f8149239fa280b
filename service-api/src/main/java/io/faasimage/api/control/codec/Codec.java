package io.faasimage.api.control.codec;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/**
 * The JSON of one type of messages. Stateless. Fields that it does not know are skipped, and those that are absent have
 * a default, so that processes of different versions understand one another.
 */
public interface Codec<T> {
    /** Writes one JSON value. */
    void write(T message, JsonGenerator out);

    /**
     * Reads one JSON value.
     *
     * @param in at the value's first token
     * @throws tools.jackson.core.JacksonException when it is not JSON, or of another type
     * @throws IllegalArgumentException when a field has an impossible value; the message is for the user
     */
    T read(JsonParser in);
}

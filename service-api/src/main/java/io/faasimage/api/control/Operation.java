package io.faasimage.api.control;

import io.faasimage.api.control.codec.Codec;
import io.faasimage.api.control.codec.JsonFields;
import io.faasimage.api.control.codec.ObjectCodec;

/**
 * One operation of a process at its control socket: the contract of both sides.
 *
 * @param name the request's {@code command}
 * @param request its arguments, which are fields beside {@code command}
 * @param event sent while the operation runs
 * @param result sent at its end
 * @param <Q> type of requests
 * @param <E> type of events
 * @param <R> type of results
 */
public record Operation<Q, E, R>(String name, ObjectCodec<Q> request, Codec<E> event, Codec<R> result) {
    /** An operation whose messages are no more than their fields. */
    public Operation<JsonFields, JsonFields, JsonFields> plain() {
        return new Operation<>(name, JsonFields.CODEC, JsonFields.CODEC, JsonFields.CODEC);
    }
}

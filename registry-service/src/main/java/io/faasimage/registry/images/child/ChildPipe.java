package io.faasimage.registry.images.child;

import io.faasimage.api.rest.Json;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import tools.jackson.core.JacksonException;

/**
 * Messages between service and child, both ways: four bytes with the length, then a record as JSON. Any thread may
 * send, one receives.
 */
final class ChildPipe {
    /** The longest message but an order, which has an image's documents; longer data is sent in parts. */
    private static final int MAX_BYTES = 8 << 20;

    private static final int MAX_ORDER_BYTES = 64 << 20;

    private final DataInputStream in;
    private final DataOutputStream out;

    ChildPipe(InputStream in, OutputStream out) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
    }

    void send(Object message) throws IOException {
        byte[] json = Json.mapper().writeValueAsBytes(message);
        synchronized (out) {
            out.writeInt(json.length);
            out.write(json);
            out.flush();
        }
    }

    /** The next message; empty when the other side is gone, also in the middle of one. */
    <T> Optional<T> receive(Class<T> type) throws IOException {
        byte[] json;
        try {
            int length = in.readInt();
            if (length < 0 || length > (type == ChildOrder.class ? MAX_ORDER_BYTES : MAX_BYTES)) {
                throw new IOException("a message of " + length + " bytes is none");
            }
            json = in.readNBytes(length);
            if (json.length < length) {
                return Optional.empty();
            }
        } catch (EOFException e) {
            return Optional.empty();
        }
        try {
            return Optional.of(Json.mapper().readValue(json, type));
        } catch (JacksonException e) {
            throw new IOException("a message is not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
        }
    }
}

package io.faasimage.adapter.proxy;

import io.faasimage.adapter.proxy.ExchangeObserver.Observation;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A copy of the body of an observed request, up to a bound. Confined to one event loop. */
final class ObservedBody {
    /** The SDK of the providers reads deployments whole, too; real ones have a few kilobytes. */
    static final int LONGEST = 1 << 20;

    private final Observation observation;
    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
    private boolean tooLong;

    /** For {@code observation}. */
    ObservedBody(Observation observation) {
        this.observation = observation;
    }

    void add(ByteBuf piece) {
        tooLong |= copy.size() + piece.readableBytes() > LONGEST;
        if (tooLong) {
            copy.reset();
            return;
        }
        try {
            piece.getBytes(piece.readerIndex(), copy, piece.readableBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    void requested() {
        if (!tooLong) {
            observation.requested(copy.toByteArray());
        }
    }

    void answered(int status) {
        observation.answered(status);
    }
}

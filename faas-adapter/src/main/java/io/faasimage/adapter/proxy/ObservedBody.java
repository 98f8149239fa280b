package io.faasimage.adapter.proxy;

import io.faasimage.adapter.proxy.ExchangeObserver.Observation;
import io.faasimage.api.span.CurrentSpan;
import io.faasimage.api.span.TraceParent;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** A copy of the body of an observed request, up to a bound. Confined to one event loop. */
final class ObservedBody {
    /** The SDK of the providers reads deployments whole, too; real ones have a few kilobytes. */
    static final int LONGEST = 1 << 20;

    private final Observation observation;
    private final Optional<TraceParent> span;
    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
    private boolean tooLong;

    /** For {@code observation}, which works for {@code span}. */
    ObservedBody(Observation observation, Optional<TraceParent> span) {
        this.observation = observation;
        this.span = span;
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
            byte[] body = copy.toByteArray();
            CurrentSpan.run(span, () -> observation.requested(body));
        }
    }

    void answered(int status) {
        CurrentSpan.run(span, () -> observation.answered(status));
    }
}

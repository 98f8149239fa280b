package io.faasimage.node.pull;

import io.faasimage.format.bundle.Frame;
import io.faasimage.format.bundle.Frame.FramesFrame;
import io.faasimage.format.bundle.Frame.ObjectFrame;
import io.faasimage.node.pull.WantedObjects.Wanted;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of one object, continued over another connection when one is cut: received bytes are not requested
 * again, except those of a frame that did not come whole. For one reader, which closes it.
 */
final class ResumedPayload extends InputStream {
    private final Wanted wanted;
    private final Source source;
    private final LongConsumer progress;
    private InputStream current;
    private long position;
    private @Nullable ObjectStream other;

    /** Opens the rest of an object's stored form, from {@code offset} on. */
    @FunctionalInterface
    interface Source {
        /**
         * @param cut why the last connection ended
         * @throws IOException when it is not to be tried again, or cannot be opened
         */
        ObjectStream open(Wanted wanted, long offset, IOException cut) throws IOException;
    }

    /** Begins with the bytes of the stream; {@code progress} receives the number of bytes of each read. */
    ResumedPayload(Wanted wanted, ObjectFrame frame, Source source, LongConsumer progress) {
        this.progress = progress;
        this.wanted = wanted;
        this.source = source;
        this.current = frame.payload();
    }

    /** Whether the stream with which it began was cut off. */
    boolean isCut() {
        return other != null;
    }

    /** Bytes read so far. */
    long position() {
        return position;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        int n = read(one, 0, 1);
        return n < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        while (true) {
            try {
                int n = current.read(buffer, offset, length);
                if (n > 0) {
                    position += n;
                    progress.accept(n);
                }
                return n;
            } catch (IOException e) {
                resume(e);
            }
        }
    }

    private void resume(IOException cut) throws IOException {
        close();
        ObjectStream next = source.open(wanted, position, cut);
        other = next;
        current = rest(next.next().orElse(null));
    }

    private InputStream rest(@Nullable Frame frame) throws IOException {
        if (frame instanceof ObjectFrame object
                && object.digest().equals(wanted.digest())
                && object.offset() == position) {
            return object.payload();
        }
        if (frame instanceof FramesFrame frames
                && frames.digest().equals(wanted.digest())
                && wanted.frames().isPresent()
                && frames.first() == wanted.frameAt(position)) {
            frames.payload().skipNBytes(position - wanted.frames().get().offset(frames.first()));
            return frames.payload();
        }
        throw new IOException("the service did not resume object " + wanted.digest() + " at " + position);
    }

    @Override
    public void close() throws IOException {
        if (other != null) {
            other.close();
        }
    }
}

package io.faasimage.node.pull;

import io.faasimage.format.bundle.Frame.ObjectFrame;
import io.faasimage.node.pull.WantedObjects.Wanted;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of one object, continued over another connection when one is cut: received bytes are not requested
 * again. For one reader, which closes it.
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
        Optional<ObjectFrame> frame = next.next();
        if (frame.isEmpty()
                || !frame.get().digest().equals(wanted.digest())
                || frame.get().offset() != position) {
            throw new IOException("the service did not resume object " + wanted.digest() + " at " + position);
        }
        current = frame.get().payload();
    }

    @Override
    public void close() throws IOException {
        if (other != null) {
            other.close();
        }
    }
}

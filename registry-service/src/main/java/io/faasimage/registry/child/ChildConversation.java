package io.faasimage.registry.child;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.predict.Profiles;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The service's part of its conversation with a child: answers to requests about stored objects, until the child has
 * ended. Memory and open files are bounded, whatever the child sends. For one thread.
 */
final class ChildConversation implements Closeable {
    private static final int CHUNK_BYTES = 128 << 10;
    /**
     * The bytes that come with an opened object: most sources are smaller, so each takes one request instead of four.
     */
    static final int FIRST_BYTES = CHUNK_BYTES;

    private static final int MAX_STREAMS = 64;

    /** Most bytes that are read without a word to the child, whose end would not be noticed meanwhile. */
    private static final int SILENT_BYTES = 1 << 20;

    private static final int MAX_SKIP_BYTES = 16 << 20;

    private final ChildPipe pipe;
    private final Holdings known;
    private final Profiles profiles;
    private final ProgressListener progress;
    private final Map<Long, InputStream> streams = new HashMap<>();
    private long opened;

    ChildConversation(ChildPipe pipe, Holdings known, Profiles profiles, ProgressListener progress) {
        this.pipe = pipe;
        this.known = known;
        this.profiles = profiles;
        this.progress = progress;
    }

    /**
     * Sends the order and answers until the child has ended.
     *
     * @return whether a result was made; empty when the child ended without a word
     * @throws RefactorException as the child failed
     * @throws IOException when the child sends an invalid message; so are unchecked exceptions of the objects
     */
    Optional<Boolean> run(ChildOrder order) throws IOException {
        try {
            return converse(order);
        } catch (Gone e) {
            // Its status is more precise.
            return Optional.empty();
        }
    }

    /** The child does not read any more. */
    private static final class Gone extends IOException {
        private static final long serialVersionUID = 1L;

        Gone(IOException cause) {
            super("the process of the job is gone", cause);
        }
    }

    private Optional<Boolean> converse(ChildOrder order) throws IOException {
        send(ChildAnswer.class, new ChildAnswer.Ordered(order));
        while (true) {
            Optional<ChildRequest> request = pipe.receive(ChildRequest.class);
            if (request.isEmpty()) {
                return Optional.empty();
            }
            switch (request.get()) {
                case ChildRequest.Ended(boolean made) -> {
                    return Optional.of(made);
                }
                case ChildRequest.Failed(Optional<Kind> kind, String message) ->
                    throw kind.isPresent() ? new RefactorException(kind.get(), message) : new IOException(message);
                case ChildRequest.Progress(var phase, long done, long total) -> progress.progress(phase, done, total);
                case ChildRequest asked -> answer(asked);
            }
        }
    }

    private void answer(ChildRequest asked) throws IOException {
        ChildAnswer answer;
        try {
            answer = switch (asked) {
                case ChildRequest.Held(byte[] digests) -> held(digests);
                case ChildRequest.HeldMetadata(Digest digest) -> new ChildAnswer.Flag(known.holdsMetadata(digest));
                case ChildRequest.Copy(Digest digest) -> copy(digest);
                case ChildRequest.Verify(Digest digest) -> {
                    known.copy(digest, new SignsOfLife());
                    yield new ChildAnswer.Flag(true);
                }
                case ChildRequest.Index(Digest layer) -> index(layer);
                case ChildRequest.Open(Digest digest) -> open(digest);
                case ChildRequest.Read(long stream, int most) ->
                    new ChildAnswer.Bytes(stream(stream).readNBytes(Math.clamp(most, 1, CHUNK_BYTES)));
                case ChildRequest.Skip(long stream, long bytes) ->
                    new ChildAnswer.Value(stream(stream).skip(Math.min(bytes, MAX_SKIP_BYTES)));
                case ChildRequest.Close(long stream) -> {
                    stream(stream).close();
                    streams.remove(stream);
                    yield new ChildAnswer.Flag(true);
                }
                case ChildRequest.ProfileOf(var library) -> new ChildAnswer.ProfileFound(profiles.of(library));
                case ChildRequest.Ended _, ChildRequest.Failed _, ChildRequest.Progress _ ->
                    throw new IllegalStateException("no question: " + asked);
            };
        } catch (RefactorException e) {
            answer = new ChildAnswer.Refused(e.kind(), String.valueOf(e.getMessage()));
        }
        send(ChildAnswer.class, answer);
    }

    private <T> void send(Class<T> type, T message) throws Gone {
        try {
            pipe.send(type, message);
        } catch (IOException e) {
            throw new Gone(e);
        }
    }

    private ChildAnswer held(byte[] asked) throws IOException {
        if (asked.length % Digest.BYTES != 0) {
            throw new IOException("the process of the job requests a part of a digest");
        }
        List<Digest> digests = new ArrayList<>();
        for (int at = 0; at < asked.length; at += Digest.BYTES) {
            digests.add(Digest.ofBytes(Arrays.copyOfRange(asked, at, at + Digest.BYTES)));
        }
        Set<Digest> held = known.held(digests);
        BitSet bits = new BitSet(digests.size());
        for (int i = 0; i < digests.size(); i++) {
            bits.set(i, held.contains(digests.get(i)));
        }
        return new ChildAnswer.Bits(bits.toByteArray());
    }

    private ChildAnswer copy(Digest digest) throws IOException {
        known.copy(digest, new Chunks());
        return new ChildAnswer.Flag(true);
    }

    private ChildAnswer index(Digest layer) throws IOException {
        Optional<byte[]> index = known.layerIndex(layer);
        if (index.isPresent()) {
            new ByteArrayInputStream(index.get()).transferTo(new Chunks());
        }
        return new ChildAnswer.Flag(index.isPresent());
    }

    private ChildAnswer open(Digest digest) throws IOException {
        if (streams.size() == MAX_STREAMS) {
            throw new IOException("the process of the job reads " + MAX_STREAMS + " objects at the same time");
        }
        InputStream in = known.open(digest);
        boolean goesOn = false;
        try {
            byte[] first = in.readNBytes(FIRST_BYTES);
            goesOn = first.length == FIRST_BYTES;
            if (goesOn) {
                streams.put(++opened, in);
            }
            return new ChildAnswer.Opened(first, goesOn ? Optional.of(opened) : Optional.empty());
        } finally {
            if (!goesOn) {
                in.close();
            }
        }
    }

    private InputStream stream(long number) throws IOException {
        InputStream stream = streams.get(number);
        if (stream == null) {
            throw new IOException("the process of the job reads an object that it has not opened");
        }
        return stream;
    }

    /** Bytes to the child, in messages of bounded length. */
    private final class Chunks extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int i = 0; i < length; i += CHUNK_BYTES) {
                byte[] chunk = new byte[Math.min(CHUNK_BYTES, length - i)];
                System.arraycopy(bytes, offset + i, chunk, 0, chunk.length);
                send(ChildAnswer.class, new ChildAnswer.Bytes(chunk));
            }
        }
    }

    /** An empty message to the child for each so many bytes that it does not need. */
    private final class SignsOfLife extends OutputStream {
        private long silent;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            silent += length;
            if (silent >= SILENT_BYTES) {
                silent = 0;
                send(ChildAnswer.class, new ChildAnswer.Bytes(new byte[0]));
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (InputStream stream : streams.values()) {
            stream.close();
        }
    }
}

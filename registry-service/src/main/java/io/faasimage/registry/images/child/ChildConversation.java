package io.faasimage.registry.images.child;

import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.predict.Profiles;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The service's part of its conversation with a child: answers to requests about stored objects, until the child has
 * ended. Memory and open files are bounded, whatever the child sends. For one thread.
 */
final class ChildConversation implements Closeable {
    /** Frames of one answer, bytes, before those of its last object: half a message, encoded. */
    private static final int FRAMES_BYTES = 2 << 20;

    private final ChildPipe pipe;
    private final Holdings known;
    private final Profiles profiles;
    private final ProgressListener progress;
    /** The object that was read last, and where its next byte is: most are read on. */
    private @Nullable InputStream open;

    private @Nullable Digest opened;
    private long position;

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
        boolean reads = send(order);
        while (reads) {
            Optional<ChildRequest> request = pipe.receive(ChildRequest.class);
            if (request.isEmpty()) {
                break;
            }
            switch (request.get()) {
                case ChildRequest.Ended(boolean made) -> {
                    return Optional.of(made);
                }
                case ChildRequest.Failed(Optional<Kind> kind, String message) ->
                    throw kind.isPresent() ? new RefactorException(kind.get(), message) : new IOException(message);
                case ChildRequest.Progress(var phase, long done, long total) -> progress.progress(phase, done, total);
                case ChildRequest question -> reads = send(answer(question));
            }
        }
        return Optional.empty();
    }

    /** False when the child does not read any more; its status says why. */
    private boolean send(Object message) {
        try {
            pipe.send(message);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private ChildAnswer answer(ChildRequest question) throws IOException {
        try {
            return switch (question) {
                case ChildRequest.Held(byte[] digests) -> ChildAnswer.of(held(digests));
                case ChildRequest.Frames(byte[] digests) -> ChildAnswer.of(frames(digests));
                case ChildRequest.HeldMetadata(Digest digest) ->
                    ChildAnswer.of(new byte[known.holdsMetadata(digest) ? 1 : 0]);
                case ChildRequest.Read(Digest digest, long offset) -> ChildAnswer.of(read(digest, offset));
                case ChildRequest.Verify(Digest digest) -> {
                    known.copy(digest, OutputStream.nullOutputStream());
                    yield ChildAnswer.of(new byte[0]);
                }
                case ChildRequest.ProfileOf(var library) -> ChildAnswer.of(profiles.of(library));
                case ChildRequest.Ended _, ChildRequest.Failed _, ChildRequest.Progress _ ->
                    throw new IllegalStateException("no question: " + question);
            };
        } catch (RefactorException e) {
            return ChildAnswer.refused(e.kind(), String.valueOf(e.getMessage()));
        }
    }

    private static List<Digest> digests(byte[] asked) throws IOException {
        if (asked.length % Digest.BYTES != 0) {
            throw new IOException("the process of the job requests a part of a digest");
        }
        List<Digest> digests = new ArrayList<>();
        for (int at = 0; at < asked.length; at += Digest.BYTES) {
            digests.add(Digest.ofBytes(Arrays.copyOfRange(asked, at, at + Digest.BYTES)));
        }
        return digests;
    }

    private byte[] frames(byte[] asked) throws IOException {
        List<Digest> digests = digests(asked);
        Map<Digest, ObjectFrames> frames = known.frames(digests);
        ByteWriter out = new ByteWriter(digests.size() * 2 * Digest.BYTES);
        int answered = 0;
        for (; answered < digests.size() && out.size() < FRAMES_BYTES; answered++) {
            ObjectFrames found = frames.get(digests.get(answered));
            if (found != null) {
                found.write(out.number(answered).number(found.size()));
            }
        }
        return new ByteWriter(out.size() + 5)
                .number(answered)
                .raw(out.toBytes())
                .toBytes();
    }

    private byte[] held(byte[] asked) throws IOException {
        List<Digest> digests = digests(asked);
        Set<Digest> held = known.held(digests);
        BitSet bits = new BitSet(digests.size());
        for (int i = 0; i < digests.size(); i++) {
            bits.set(i, held.contains(digests.get(i)));
        }
        return bits.toByteArray();
    }

    private byte[] read(Digest digest, long offset) throws IOException {
        InputStream in = open;
        if (in == null || !digest.equals(opened) || offset < position) {
            close();
            in = known.open(digest);
            open = in;
            opened = digest;
            position = 0;
        }
        byte[] bytes = new byte[0];
        try {
            in.skipNBytes(Math.max(0, offset - position));
            bytes = in.readNBytes(ServiceLink.READ_BYTES);
            position = offset + bytes.length;
        } catch (EOFException e) {
            // It ends before the offset.
        } finally {
            if (bytes.length < ServiceLink.READ_BYTES) {
                close();
            }
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        InputStream in = open;
        open = null;
        if (in != null) {
            in.close();
        }
    }
}

package io.faasimage.registry.images.child;

import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.refactor.ProgressListener;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.predict.Profile;
import io.faasimage.refactor.predict.Profiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The child's end of its pipe: stored objects and profiles, by requests to the service, which also gets the progress at
 * each new phase and ten times a second. One request at a time is answered; when the service is gone, the process ends
 * at once. Thread-safe.
 */
final class ServiceLink implements Holdings, Profiles, ProgressListener {
    /** Bytes of an object in one answer: most objects that are looked into are smaller. */
    static final int READ_BYTES = 128 << 10;

    /** Digests of one request. */
    private static final int BATCH = 16_000;

    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ChildPipe pipe;
    private final ChildOrder order;
    private final BlockingQueue<ChildAnswer> answers = new ArrayBlockingQueue<>(1);
    private @Nullable Phase last;
    private long next;

    /** Waits for the order, the first message. */
    ServiceLink(ChildPipe pipe) throws IOException {
        this.pipe = pipe;
        this.order = pipe.receive(ChildOrder.class)
                .orElseThrow(() -> new IOException("the service is gone without an order"));
        Thread.ofPlatform().daemon().name("service").start(this::receive);
    }

    private void receive() {
        try {
            while (true) {
                Optional<ChildAnswer> answer = pipe.receive(ChildAnswer.class);
                if (answer.isEmpty()) {
                    break;
                }
                answers.put(answer.get());
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("the service cannot be understood: " + e);
        }
        Runtime.getRuntime().halt(ChildProgram.SERVICE_GONE);
    }

    ChildOrder order() {
        return order;
    }

    /** Sends a message that has no answer. */
    synchronized void tell(ChildRequest message) throws IOException {
        pipe.send(message);
    }

    /** An interrupt is deferred: a request without a waiting caller would leave its answer to the next one. */
    private synchronized ChildAnswer ask(ChildRequest request) throws IOException {
        pipe.send(request);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    ChildAnswer answer = answers.take();
                    if (answer.refused().isPresent()) {
                        throw new RefactorException(answer.refused().get(), answer.message());
                    }
                    return answer;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private ChildAnswer askUnchecked(ChildRequest request) {
        try {
            return ask(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void progress(Phase phase, long done, long total) {
        long now = System.nanoTime();
        if (phase == last && now - next < 0) {
            return;
        }
        last = phase;
        next = now + INTERVAL_NANOS;
        try {
            tell(new ChildRequest.Progress(phase, done, total));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<Profile> of(Library library) {
        return askUnchecked(new ChildRequest.ProfileOf(library)).profile();
    }

    @Override
    public Set<Digest> held(Collection<Digest> digests) {
        Set<Digest> held = HashSet.newHashSet(digests.size());
        List<Digest> all = List.copyOf(digests);
        for (int i = 0; i < all.size(); i += BATCH) {
            List<Digest> batch = all.subList(i, Math.min(all.size(), i + BATCH));
            BitSet.valueOf(askUnchecked(new ChildRequest.Held(joined(batch))).bytes()).stream()
                    .forEach(bit -> held.add(batch.get(bit)));
        }
        return held;
    }

    private static byte[] joined(List<Digest> digests) {
        ByteBuffer bytes = ByteBuffer.allocate(digests.size() * Digest.BYTES);
        digests.forEach(digest -> bytes.put(digest.bytes()));
        return bytes.array();
    }

    @Override
    public Map<Digest, ObjectFrames> frames(Collection<Digest> digests) throws IOException {
        Map<Digest, ObjectFrames> frames = HashMap.newHashMap(digests.size());
        List<Digest> all = List.copyOf(digests);
        for (int answered = 0; answered < all.size(); ) {
            List<Digest> batch = all.subList(answered, Math.min(all.size(), answered + BATCH));
            byte[] answer = ask(new ChildRequest.Frames(joined(batch))).bytes();
            ByteReader in = new ByteReader("answer of the service", answer, 0, answer.length);
            answered += in.number("objects", batch.size());
            while (in.remaining() > 0) {
                int index = in.number("object", batch.size() - 1);
                frames.put(batch.get(index), ObjectFrames.read(in.number(), in));
            }
        }
        return frames;
    }

    @Override
    public boolean holdsMetadata(Digest metadata) {
        return askUnchecked(new ChildRequest.HeldMetadata(metadata)).bytes().length > 0;
    }

    @Override
    public Optional<byte[]> layerIndex(Digest blob) throws IOException {
        Path index = ChildOrder.index(order.work(), blob);
        return Files.exists(index) ? Optional.of(Files.readAllBytes(index)) : Optional.empty();
    }

    @Override
    public byte[] content(Digest digest) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        copy(digest, content);
        return content.toByteArray();
    }

    @Override
    public void copy(Digest digest, OutputStream out) throws IOException {
        MessageDigest hash = Digest.newSha256();
        long offset = 0;
        byte[] bytes;
        do {
            bytes = read(digest, offset);
            hash.update(bytes);
            out.write(bytes);
            offset += bytes.length;
        } while (bytes.length == READ_BYTES);
        if (!Digest.ofBytes(hash.digest()).equals(digest)) {
            ask(new ChildRequest.Verify(digest));
            throw new RefactorException(
                    Kind.UNAVAILABLE,
                    "object " + digest + " was read with other bytes than it has now; the next attempt reads it again");
        }
    }

    private byte[] read(Digest digest, long offset) throws IOException {
        return ask(new ChildRequest.Read(digest, offset)).bytes();
    }

    @Override
    public InputStream open(Digest digest) {
        return new StoredObject(digest);
    }

    /** A stored object while it is read. Not thread-safe. */
    private final class StoredObject extends InputStream {
        private final Digest digest;
        private byte[] bytes = new byte[0];
        /** Of the first of {@code bytes}. */
        private long offset;

        private long position;
        private boolean ended;

        StoredObject(Digest digest) {
            this.digest = digest;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int from, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            if (position >= offset + bytes.length && !ended) {
                offset = position;
                bytes = ServiceLink.this.read(digest, offset);
                ended = bytes.length < READ_BYTES;
            }
            int n = (int) Math.min(length, offset + bytes.length - position);
            if (n <= 0) {
                return -1;
            }
            System.arraycopy(bytes, (int) (position - offset), target, from, n);
            position += n;
            return n;
        }

        /** Also beyond the end, where nothing is read. */
        @Override
        public long skip(long n) {
            position += Math.max(0, n);
            return Math.max(0, n);
        }
    }
}

package io.faasimage.registry.child;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.Holdings;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The stored objects as a child sees them: by asking the service. Thread-safe. */
final class RemoteHoldings implements Holdings {
    /** Digests of one request. */
    private static final int BATCH = 16_000;

    private static final int READ_BYTES = 128 << 10;

    private final ServiceLink service;
    private final SmallContents read;

    /** The stored objects, of which the contents in {@code read} are not requested. */
    RemoteHoldings(ServiceLink service, SmallContents read) {
        this.service = service;
        this.read = read;
    }

    @Override
    public Set<Digest> held(Collection<Digest> digests) {
        Set<Digest> held = HashSet.newHashSet(digests.size());
        List<Digest> all = List.copyOf(digests);
        try {
            for (int i = 0; i < all.size(); i += BATCH) {
                List<Digest> batch = all.subList(i, Math.min(all.size(), i + BATCH));
                BitSet.valueOf(service.ask(new ChildRequest.Held(bytes(batch)), ChildAnswer.Bits.class)
                                .bits())
                        .stream()
                        .forEach(bit -> held.add(batch.get(bit)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return held;
    }

    private static byte[] bytes(List<Digest> digests) {
        ByteBuffer bytes = ByteBuffer.allocate(digests.size() * Digest.BYTES);
        digests.forEach(digest -> bytes.put(digest.bytes()));
        return bytes.array();
    }

    @Override
    public byte[] content(Digest digest) throws IOException {
        Optional<byte[]> known = read.find(digest);
        if (known.isPresent()) {
            return known.get();
        }
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        copy(digest, content);
        read.add(digest, content.toByteArray());
        return content.toByteArray();
    }

    @Override
    public void copy(Digest digest, OutputStream out) throws IOException {
        service.copy(new ChildRequest.Copy(digest), out);
    }

    @Override
    public void verify(Digest digest) throws IOException {
        service.copy(new ChildRequest.Verify(digest), OutputStream.nullOutputStream());
    }

    @Override
    public boolean holdsMetadata(Digest metadata) {
        try {
            return service.ask(new ChildRequest.HeldMetadata(metadata), ChildAnswer.Flag.class)
                    .value();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<byte[]> layerIndex(Digest blob) throws IOException {
        ByteArrayOutputStream index = new ByteArrayOutputStream();
        return service.copy(new ChildRequest.Index(blob), index) ? Optional.of(index.toByteArray()) : Optional.empty();
    }

    @Override
    public InputStream open(Digest digest) throws IOException {
        ChildAnswer.Opened opened = service.ask(new ChildRequest.Open(digest), ChildAnswer.Opened.class);
        if (opened.stream().isEmpty()) {
            return new ByteArrayInputStream(opened.bytes());
        }
        return new BufferedInputStream(
                new RemoteObject(opened.bytes(), opened.stream().get()), READ_BYTES);
    }

    /** A stored object while it is read: its beginning, which is here, and then the rest. Not thread-safe. */
    private final class RemoteObject extends InputStream {
        private final InputStream first;
        private final long stream;

        RemoteObject(byte[] first, long stream) {
            this.first = new ByteArrayInputStream(first);
            this.stream = stream;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            int here = first.read(target, offset, length);
            if (here >= 0) {
                return here;
            }
            byte[] bytes = service.ask(
                            new ChildRequest.Read(stream, Math.min(length, READ_BYTES)), ChildAnswer.Bytes.class)
                    .bytes();
            System.arraycopy(bytes, 0, target, offset, bytes.length);
            return bytes.length == 0 ? -1 : bytes.length;
        }

        @Override
        public long skip(long n) throws IOException {
            long here = first.skip(n);
            if (here > 0 || n <= 0) {
                return here;
            }
            return service.ask(new ChildRequest.Skip(stream, n), ChildAnswer.Value.class)
                    .value();
        }

        @Override
        public void close() throws IOException {
            service.ask(new ChildRequest.Close(stream), ChildAnswer.Flag.class);
        }
    }
}

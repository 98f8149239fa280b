package io.faasimage.refactor.spool;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The contents of an image's files, by digest, in a few append-only files of a work directory. Thread-safe; each
 * {@link Writer} is for one thread. Closing it does not remove the files: the work directory's owner does.
 */
public final class Spool implements Closeable {
    private static final int BUFFER = 256 << 10;

    private record Place(FileChannel channel, long offset, long size) {}

    private final Path directory;
    private final ConcurrentHashMap<Digest, Place> places = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<FileChannel> channels = new ConcurrentLinkedQueue<>();

    /** A spool in a directory that exists. */
    public Spool(Path directory) {
        this.directory = directory;
    }

    /** What was put in: the digest of the content and its size. */
    public record Stored(Digest digest, long size) {}

    /** A new file in the spool, called {@code name}. */
    public Writer writer(String name) throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(name),
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
        channels.add(channel);
        return new Writer(channel);
    }

    /** Size of a content in bytes; absent when it is not here. */
    public Optional<Long> size(Digest digest) {
        return Optional.ofNullable(places.get(digest)).map(Place::size);
    }

    /** All digests. */
    public Set<Digest> digests() {
        return Set.copyOf(places.keySet());
    }

    /** Fills {@code buffer} from the content, from byte {@code from} on. */
    public void read(Digest digest, long from, ByteBuffer buffer) throws IOException {
        Place place = place(digest);
        if (from + buffer.remaining() > place.size) {
            throw new EOFException("read beyond the end of " + digest);
        }
        long position = place.offset + from;
        while (buffer.hasRemaining()) {
            int n = place.channel.read(buffer, position);
            if (n < 0) {
                throw new EOFException("the spool file is shorter than it was written");
            }
            position += n;
        }
    }

    /** The whole content; only for small ones. */
    public byte[] bytes(Digest digest) throws IOException {
        byte[] bytes = new byte[Math.toIntExact(place(digest).size)];
        read(digest, 0, ByteBuffer.wrap(bytes));
        return bytes;
    }

    private Place place(Digest digest) {
        Place place = places.get(digest);
        if (place == null) {
            throw new IllegalArgumentException("not in the spool: " + digest);
        }
        return place;
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : channels) {
            channel.close();
        }
    }

    /** Appends contents to one file of the spool. For one thread. */
    public final class Writer {
        private final FileChannel channel;
        private final byte[] buffer = new byte[BUFFER];
        private final MessageDigest hash = Digest.newSha256();
        private long end;

        private Writer(FileChannel channel) {
            this.channel = channel;
        }

        /**
         * Hashes all of {@code in} and keeps it unless the spool has it already.
         *
         * @param limit most bytes that are read; one more than it is a {@link ContentTooLargeException}
         */
        public Stored add(InputStream in, long limit) throws IOException {
            hash.reset();
            long size = 0;
            int filled = 0;
            long position = end;
            for (int n = in.read(buffer, 0, BUFFER); n >= 0; n = in.read(buffer, filled, BUFFER - filled)) {
                hash.update(buffer, filled, n);
                filled += n;
                size += n;
                if (size > limit) {
                    throw new ContentTooLargeException(limit);
                }
                if (filled == BUFFER) {
                    position = write(filled, position);
                    filled = 0;
                }
            }
            Digest digest = Digest.ofBytes(hash.digest());
            if (size > 0 && !places.containsKey(digest)) {
                position = write(filled, position);
                if (places.putIfAbsent(digest, new Place(channel, end, size)) == null) {
                    end = position;
                }
            }
            return new Stored(digest, size);
        }

        private long write(int count, long position) throws IOException {
            ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, count);
            long at = position;
            try {
                while (bytes.hasRemaining()) {
                    at += channel.write(bytes, at);
                }
            } catch (IOException e) {
                throw new RefactorException(
                        RefactorException.Kind.LOCAL,
                        "could not write to the work directory " + directory + ": " + e.getMessage()
                                + "; is the disk full?",
                        e);
            }
            return at;
        }
    }

    /** A content that has more bytes than its limit. */
    public static final class ContentTooLargeException extends IOException {
        private static final long serialVersionUID = 1L;

        ContentTooLargeException(long limit) {
            super("longer than the limit of " + limit + " bytes");
        }
    }
}

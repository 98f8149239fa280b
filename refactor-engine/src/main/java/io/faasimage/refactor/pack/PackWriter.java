package io.faasimage.refactor.pack;

import io.faasimage.format.id.Digest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Writes one pack, object after object. Not thread-safe. A pack without {@link #finish} is not valid. */
public final class PackWriter implements Closeable {
    private final FileChannel channel;
    private final List<PackEntry> entries = new ArrayList<>();
    private long position;

    /** A pack in a new file. */
    public PackWriter(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        write(ByteBuffer.wrap(PackFormat.header()));
    }

    /** Appends an object: {@code length} bytes of {@code frame}, a zstd frame of {@code rawSize} bytes. */
    public void append(Digest digest, long rawSize, byte[] frame, int length) throws IOException {
        long offset = position;
        write(ByteBuffer.wrap(frame, 0, length));
        entries.add(new PackEntry(digest, offset, length, rawSize));
    }

    /** Appends an object whose zstd frame is the whole of {@code file}. */
    public void append(Digest digest, long rawSize, Path file) throws IOException {
        long offset = position;
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = in.size();
            for (long done = 0; done < size; ) {
                done += in.transferTo(done, size - done, channel);
            }
            position += size;
            entries.add(new PackEntry(digest, offset, size, rawSize));
        }
    }

    /**
     * Writes the index; the file is not synced.
     *
     * @return the digest of the index, by which the pack is named
     */
    public Digest finish() throws IOException {
        byte[] index = PackFormat.index(entries);
        long offset = position;
        write(ByteBuffer.wrap(index));
        write(ByteBuffer.wrap(PackFormat.trailer(offset)));
        return Digest.of(index);
    }

    /** What was appended, in order. */
    public List<PackEntry> entries() {
        return List.copyOf(entries);
    }

    /** Bytes written. */
    public long size() {
        return position;
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            position += channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

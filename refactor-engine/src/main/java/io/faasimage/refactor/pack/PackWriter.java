package io.faasimage.refactor.pack;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.spool.SpooledObject;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A writer of one pack, object after object. Not thread-safe. A pack without {@link #finish} is not valid. */
public final class PackWriter implements Closeable {
    private final FileChannel channel;
    private final ByteBuffer buffer;
    private final List<PackEntry> entries = new ArrayList<>();
    private long position;

    /** A pack in a new file; {@code buffer} is used by this writer alone until it is closed. */
    public PackWriter(Path file, ByteBuffer buffer) throws IOException {
        this.channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.buffer = buffer.clear();
        write(PackFormat.header());
    }

    /** Appends an object. */
    public void append(SpooledObject frame) throws IOException {
        entries.add(new PackEntry(frame.digest(), position, frame.size(), frame.frames()));
        if (frame.length() > buffer.capacity()) {
            flush();
            transfer(frame);
        } else {
            if (frame.length() > buffer.remaining()) {
                flush();
            }
            read(frame);
        }
        position += frame.length();
    }

    private void read(SpooledObject frame) throws IOException {
        int end = buffer.position() + (int) frame.length();
        buffer.limit(end);
        for (long at = frame.offset(); buffer.hasRemaining(); ) {
            int n = frame.channel().read(buffer, at);
            if (n < 0) {
                throw cutOff();
            }
            at += n;
        }
        buffer.limit(buffer.capacity());
    }

    private void transfer(SpooledObject frame) throws IOException {
        for (long done = 0; done < frame.length(); ) {
            long n = frame.channel().transferTo(frame.offset() + done, frame.length() - done, channel);
            if (n <= 0) {
                throw cutOff();
            }
            done += n;
        }
    }

    private static EOFException cutOff() {
        return new EOFException("a file of the work directory is shorter than it was written");
    }

    /**
     * Writes the index; the file is not synced.
     *
     * @return the digest of the index, by which the pack is named
     */
    public Digest finish() throws IOException {
        byte[] index = PackFormat.index(entries);
        long offset = position;
        write(index);
        write(PackFormat.trailer(offset));
        flush();
        return Digest.of(index);
    }

    /** The appended entries, in order. */
    public List<PackEntry> entries() {
        return List.copyOf(entries);
    }

    /** Bytes of the file after {@link #finish}. */
    public long size() {
        return position;
    }

    private void write(byte[] bytes) throws IOException {
        if (bytes.length > buffer.remaining()) {
            flush();
        }
        position += bytes.length;
        if (bytes.length > buffer.capacity()) {
            drain(ByteBuffer.wrap(bytes));
        } else {
            buffer.put(bytes);
        }
    }

    private void flush() throws IOException {
        drain(buffer.flip());
        buffer.clear();
    }

    private void drain(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

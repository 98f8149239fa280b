package io.faasimage.refactor.pack;

import io.faasimage.format.FormatException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A reader of a pack: its index, and the frames of its objects by offset. Thread-safe. */
public final class PackReader implements Closeable {
    private final FileChannel channel;
    private final List<PackEntry> entries;

    private PackReader(FileChannel channel, List<PackEntry> entries) {
        this.channel = channel;
        this.entries = entries;
    }

    /**
     * Opens a pack and checks its header, index and trailer; the objects are verified by who decompresses them.
     *
     * @throws FormatException when it is damaged, or of a version that this program does not read
     */
    public static PackReader open(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new PackReader(channel, index(channel.size(), (at, length) -> read(channel, at, length)));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** The bytes of a pack, wherever it is. */
    @FunctionalInterface
    public interface Bytes {
        /** Exactly {@code length} bytes from {@code offset} on. */
        byte[] read(long offset, int length) throws IOException;
    }

    /**
     * The objects of a pack of {@code size} bytes, in its order.
     *
     * @throws FormatException when it is damaged, or of a version that this program does not read
     */
    public static List<PackEntry> index(long size, Bytes bytes) throws IOException {
        long trailer = size - PackFormat.TRAILER_BYTES;
        if (trailer < PackFormat.HEADER_BYTES) {
            throw FormatException.corrupt("not a pack: only " + size + " bytes");
        }
        PackFormat.checkHeader(bytes.read(0, PackFormat.HEADER_BYTES));
        long index = PackFormat.parseTrailer(bytes.read(trailer, PackFormat.TRAILER_BYTES));
        if (index < PackFormat.HEADER_BYTES || index > trailer || trailer - index > PackFormat.MAX_INDEX_BYTES) {
            throw FormatException.corrupt("the pack's index is out of range: " + index);
        }
        return PackFormat.parseIndex(bytes.read(index, (int) (trailer - index)), index);
    }

    /** The objects in the order of the pack. */
    public List<PackEntry> entries() {
        return entries;
    }

    /** The zstd frame of an object; only for objects whose frame fits into memory. */
    public byte[] frame(PackEntry entry) throws IOException {
        return read(channel, entry.offset(), Math.toIntExact(entry.storedSize()));
    }

    private static byte[] read(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            int n = channel.read(buffer, offset + buffer.position());
            if (n < 0) {
                throw new EOFException("the pack ends within an object");
            }
        }
        return buffer.array();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

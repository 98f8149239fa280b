package io.faasimage.refactor.closure.elf;

import io.faasimage.refactor.closure.reads.ContentParser.Content;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Regions of one file that can only be read forward. The last 64 KiB that were read are kept; a region before them
 * opens the file again, so regions are best requested in the order of the file. Not thread-safe.
 */
final class FileRegions implements Closeable {
    private static final int WINDOW = 64 << 10;

    private final Content content;
    private Optional<InputStream> stream = Optional.empty();
    private byte[] window = new byte[0];
    private long start;

    /** A part of a file; it may lead beyond its end. */
    record Region(long offset, int length) {}

    FileRegions(Content content) {
        this.content = content;
    }

    /** The bytes of a region; fewer, or none, where the file ends before. At most 64 KiB. */
    ByteBuffer read(Region region) throws IOException {
        long offset = region.offset;
        int length = (int) Math.min(Math.min(region.length, WINDOW), content.size() - offset);
        if (offset < 0 || length <= 0) {
            return ByteBuffer.allocate(0);
        }
        if (offset < start || offset + length > start + window.length) {
            load(offset);
        }
        int from = (int) (offset - start);
        int to = Math.min(from + length, window.length);
        return to <= from
                ? ByteBuffer.allocate(0)
                : ByteBuffer.wrap(window, from, to - from).slice();
    }

    private void load(long offset) throws IOException {
        long end = start + window.length;
        if (stream.isEmpty() || offset < end) {
            close();
            stream = Optional.of(content.open());
            end = 0;
        }
        InputStream in = stream.get();
        try {
            in.skipNBytes(offset - end);
        } catch (EOFException e) {
            // The analysis has read as much as it may: nothing more comes.
            window = new byte[0];
            start = offset;
            return;
        }
        window = in.readNBytes(WINDOW);
        start = offset;
    }

    @Override
    public void close() throws IOException {
        if (stream.isPresent()) {
            stream.get().close();
        }
    }
}

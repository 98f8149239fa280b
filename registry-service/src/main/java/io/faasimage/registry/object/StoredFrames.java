package io.faasimage.registry.object;

import com.github.luben.zstd.ZstdInputStream;
import io.faasimage.registry.problem.ProblemException;
import io.faasimage.registry.problem.ProblemKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Reads the zstd frames of stored objects for one request; keeps a few files open between them. A file that is missing or
 * too short is a {@link ProblemKind#STORAGE} problem. Not thread-safe.
 */
public final class StoredFrames implements AutoCloseable {
    private static final int OPEN_FILES = 16;
    private static final int BUFFER_BYTES = 256 * 1024;

    private final Map<Path, FileChannel> open = new LinkedHashMap<>(OPEN_FILES, 0.75f, true);
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final Consumer<StoredObject> badFrames;

    /** Reads frames as they lie. */
    public StoredFrames() {
        this(object -> {});
    }

    /** Reads also raw forms; {@code badFrames} hears of a frame that cannot be decompressed. */
    public StoredFrames(Consumer<StoredObject> badFrames) {
        this.badFrames = badFrames;
    }

    /** Fails unless the files of all these objects are there and long enough. */
    public static void check(Collection<StoredObject> objects) {
        Map<Path, Long> ends = new HashMap<>();
        objects.forEach(object -> ends.merge(object.file(), object.end(), Math::max));
        ends.forEach(StoredFrames::check);
    }

    /** Whether the object's file is there and long enough. */
    public static boolean isThere(StoredObject object) {
        try {
            return Files.size(object.file()) >= object.end();
        } catch (IOException e) {
            return false;
        }
    }

    private static void check(Path file, long end) {
        long size;
        try {
            size = Files.size(file);
        } catch (IOException e) {
            throw damaged(file, "it cannot be read (" + e + ")");
        }
        if (size < end) {
            throw damaged(file, "it has " + size + " bytes and should have at least " + end);
        }
    }

    static ProblemException damaged(Path file, String reason) {
        return new ProblemException(
                ProblemKind.STORAGE,
                "stored file " + file.getFileName() + " is damaged: " + reason
                        + "; restore it, or POST /v1/images/{digest}/refactor to make it again");
    }

    /**
     * Copies an object's frame to {@code out}.
     *
     * @throws ProblemException when the file cannot give it
     * @throws IOException when {@code out} does not take it
     */
    public void copy(StoredObject object, OutputStream out) throws IOException {
        long position = object.offset();
        while (position < object.end()) {
            int n = fill(object, position);
            out.write(buffer.array(), 0, n);
            position += n;
        }
    }

    private int fill(StoredObject object, long position) {
        buffer.clear().limit((int) Math.min(BUFFER_BYTES, object.end() - position));
        try {
            int n = channel(object.file()).read(buffer, position);
            if (n <= 0) {
                throw damaged(object.file(), "it ends at " + position + " and should end at or after " + object.end());
            }
            return n;
        } catch (IOException e) {
            throw damaged(object.file(), "it cannot be read (" + e + ")");
        }
    }

    private FileChannel channel(Path file) throws IOException {
        FileChannel channel = open.get(file);
        if (channel == null) {
            if (open.size() >= OPEN_FILES) {
                Iterator<FileChannel> eldest = open.values().iterator();
                eldest.next().close();
                eldest.remove();
            }
            channel = FileChannel.open(file, StandardOpenOption.READ);
            open.put(file, channel);
        }
        return channel;
    }

    /**
     * Copies a part of an object's raw form to {@code out}.
     *
     * @param skip raw bytes before the part
     * @param length of the part
     * @throws ProblemException when the frame cannot give it
     * @throws IOException when {@code out} does not take it
     */
    public void copyRaw(StoredObject object, long skip, long length, OutputStream out) throws IOException {
        try (ZstdInputStream raw = new ZstdInputStream(new FrameStream(object))) {
            byte[] piece = new byte[Math.clamp(skip + length, 1, BUFFER_BYTES)];
            long position = 0;
            while (position < skip + length) {
                int n = decompress(raw, piece, (int) Math.min(piece.length, skip + length - position), object);
                int from = Math.clamp(skip - position, 0, n);
                out.write(piece, from, n - from);
                position += n;
            }
        }
    }

    private int decompress(ZstdInputStream raw, byte[] piece, int limit, StoredObject object) {
        try {
            int n = raw.read(piece, 0, limit);
            if (n <= 0) {
                badFrames.accept(object);
                throw damaged(object.file(), "object " + object.digest() + " in it is cut off");
            }
            return n;
        } catch (IOException e) {
            badFrames.accept(object);
            throw damaged(object.file(), "object " + object.digest() + " in it cannot be decompressed (" + e + ")");
        }
    }

    @Override
    public void close() {
        try {
            for (FileChannel channel : open.values()) {
                channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final class FrameStream extends InputStream {
        private final StoredObject object;
        private long position;

        FrameStream(StoredObject object) {
            this.object = object;
            this.position = object.offset();
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            if (position >= object.end()) {
                return -1;
            }
            int n = Math.min(length, fill(object, position));
            System.arraycopy(buffer.array(), 0, target, offset, n);
            position += n;
            return n;
        }
    }
}

package io.faasimage.refactor.spool;

import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** A file of the spool, written at places that are taken one behind the other. Thread-safe. */
final class FrameFile implements Closeable {
    private final Path path;
    private final FileChannel channel;
    private final AtomicLong end = new AtomicLong();

    FrameFile(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(
                path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    FileChannel channel() {
        return channel;
    }

    /** Appends the remaining bytes of {@code bytes}; returns their place. */
    long append(ByteBuffer bytes) throws RefactorException {
        long at = end.getAndAdd(bytes.remaining());
        write(bytes, at);
        return at;
    }

    /** Takes {@code length} bytes that were written at the end. */
    void take(long length) {
        end.addAndGet(length);
    }

    long end() {
        return end.get();
    }

    void write(ByteBuffer bytes, long position) throws RefactorException {
        try {
            for (long at = position; bytes.hasRemaining(); ) {
                at += channel.write(bytes, at);
            }
        } catch (ClosedByInterruptException e) {
            throw new RefactorException(Kind.CANCELLED, "interrupted while writing contents", e);
        } catch (IOException e) {
            throw new RefactorException(
                    Kind.LOCAL,
                    "could not write to the work directory " + path.getParent() + ": " + e.getMessage()
                            + "; is the disk full?",
                    e);
        }
    }

    /** Fills {@code buffer} from {@code position} of a file of the spool. */
    static void read(FileChannel channel, ByteBuffer buffer, long position) throws IOException {
        for (long at = position; buffer.hasRemaining(); ) {
            int n = channel.read(buffer, at);
            if (n < 0) {
                throw new EOFException("a file of the work directory is shorter than it was written");
            }
            at += n;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

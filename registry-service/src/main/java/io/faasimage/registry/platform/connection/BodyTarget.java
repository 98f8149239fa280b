package io.faasimage.registry.platform.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A destination for the pieces of a body; the caller may reuse a piece when the method returns. Not thread-safe. */
public interface BodyTarget {
    /** Sends all that remains in {@code piece}. */
    void write(ByteBuffer piece) throws IOException;

    /**
     * Sends a part of a file.
     *
     * @param file that has it
     * @param position where it begins
     * @param content the same part, mapped
     */
    void write(FileChannel file, long position, MemorySegment content) throws IOException;

    /** Flushes all written bytes. */
    void flush() throws IOException;
}

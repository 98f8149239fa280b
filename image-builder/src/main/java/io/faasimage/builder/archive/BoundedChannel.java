package io.faasimage.builder.archive;

import io.faasimage.builder.fault.BuildException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A zip archive for reading, of which only so much may be read until its directory is known: that is kept in memory.
 */
final class BoundedChannel implements SeekableByteChannel {
    private final SeekableByteChannel file;
    private final long limit;
    private long left;

    private BoundedChannel(SeekableByteChannel file, long limit) {
        this.file = file;
        this.limit = limit;
        this.left = limit;
    }

    static BoundedChannel open(Path archive, long limit) throws IOException {
        return new BoundedChannel(Files.newByteChannel(archive), limit);
    }

    /** The directory is read: what follows is not kept in memory. */
    void unbound() {
        left = Long.MAX_VALUE;
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
        int n = file.read(buffer);
        left -= Math.max(0, n);
        if (left < 0) {
            throw new BuildException(
                    BuildException.Kind.TOO_LARGE,
                    "the zip's directory has more than " + limit + " bytes; leave out what the build installs");
        }
        return n;
    }

    @Override
    public int write(ByteBuffer buffer) {
        throw new NonWritableChannelException();
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public SeekableByteChannel position(long position) throws IOException {
        file.position(position);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return file.isOpen();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

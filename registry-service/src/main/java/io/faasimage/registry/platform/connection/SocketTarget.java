package io.faasimage.registry.platform.connection;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * A body target that writes to the socket itself. It does not block, so when it is full the next few bytes go the way
 * of Tomcat's blocking writes, which wait for room with its poller and its time limit, without holding a processor's
 * thread.
 */
final class SocketTarget implements BodyTarget {
    private static final int AWAITED_BYTES = 16 * 1024;

    private final SocketChannel socket;
    private final SocketWrapperBase<?> connection;

    SocketTarget(SocketChannel socket, SocketWrapperBase<?> connection) {
        this.socket = socket;
        this.connection = connection;
    }

    @Override
    public void write(ByteBuffer piece) throws IOException {
        while (piece.hasRemaining()) {
            if (socket.write(piece) == 0) {
                int taken = Math.min(piece.remaining(), AWAITED_BYTES);
                writeWhenThereIsRoom(piece.slice(piece.position(), taken));
                piece.position(piece.position() + taken);
            }
        }
    }

    @Override
    public void write(FileChannel file, long position, MemorySegment content) throws IOException {
        long sent = 0;
        while (sent < content.byteSize()) {
            long n = file.transferTo(position + sent, content.byteSize() - sent, socket);
            if (n == 0) {
                n = Math.min(content.byteSize() - sent, AWAITED_BYTES);
                writeWhenThereIsRoom(content.asSlice(sent, n).asByteBuffer());
            }
            sent += n;
        }
    }

    private void writeWhenThereIsRoom(ByteBuffer bytes) throws IOException {
        connection.write(true, bytes);
        connection.flush(true);
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }
}

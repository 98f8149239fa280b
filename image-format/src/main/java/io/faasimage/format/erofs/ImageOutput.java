package io.faasimage.format.erofs;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Buffered little-endian output that knows its position. Failures of the stream leave as {@link UncheckedIOException}
 * and are unwrapped by {@link ErofsWriter}.
 */
final class ImageOutput {
    private static final byte[] ZEROS = new byte[Disk.BLOCK];

    private final OutputStream out;
    private final ByteBuffer buffer = ByteBuffer.allocate(64 * 1024).order(ByteOrder.LITTLE_ENDIAN);
    private long flushed;

    ImageOutput(OutputStream out) {
        this.out = out;
    }

    long position() {
        return flushed + buffer.position();
    }

    ImageOutput u8(int value) {
        room(1).put((byte) value);
        return this;
    }

    ImageOutput u16(int value) {
        room(2).putShort((short) value);
        return this;
    }

    ImageOutput u32(int value) {
        room(4).putInt(value);
        return this;
    }

    ImageOutput u64(long value) {
        room(8).putLong(value);
        return this;
    }

    ImageOutput raw(byte[] bytes) {
        int done = 0;
        while (done < bytes.length) {
            int n = Math.min(bytes.length - done, room(1).remaining());
            buffer.put(bytes, done, n);
            done += n;
        }
        return this;
    }

    /** One byte per char, from the char at {@code start}; at most 4096. */
    ImageOutput raw(String chars, int start) {
        ByteBuffer target = room(chars.length() - start);
        for (int i = start; i < chars.length(); i++) {
            target.put((byte) chars.charAt(i));
        }
        return this;
    }

    ImageOutput zeros(int count) {
        return padTo(position() + count);
    }

    ImageOutput padTo(long target) {
        if (target < position()) {
            throw new IllegalStateException("position is " + position() + ", beyond " + target);
        }
        while (position() < target) {
            ByteBuffer rest = room(1);
            rest.put(ZEROS, 0, (int) Math.min(Math.min(target - position(), rest.remaining()), ZEROS.length));
        }
        return this;
    }

    void flush() {
        try {
            out.write(buffer.array(), 0, buffer.position());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        flushed += buffer.position();
        buffer.clear();
    }

    private ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            flush();
        }
        return buffer;
    }
}

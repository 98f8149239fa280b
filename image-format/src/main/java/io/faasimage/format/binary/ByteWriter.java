package io.faasimage.format.binary;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A growing byte array that numbers are appended to, little-endian. Not thread-safe. */
public final class ByteWriter {
    private byte[] bytes;
    private int size;

    /** A writer with room for {@code capacity} bytes before it has to grow. */
    public ByteWriter(int capacity) {
        bytes = new byte[Math.max(16, capacity)];
    }

    /** Appends the low 8 bits. */
    public ByteWriter u8(int value) {
        room(1);
        bytes[size++] = (byte) value;
        return this;
    }

    /** Appends the low 16 bits. */
    public ByteWriter u16(int value) {
        return u8(value).u8(value >>> 8);
    }

    /** Appends 32 bits. */
    public ByteWriter u32(int value) {
        return u16(value).u16(value >>> 16);
    }

    /** Appends 64 bits. */
    public ByteWriter u64(long value) {
        return u32((int) value).u32((int) (value >>> 32));
    }

    /** Appends a number from 0 in as few 7-bit groups as it needs, the low ones first (LEB128). */
    public ByteWriter number(long value) {
        if (value < 0) {
            throw new IllegalArgumentException("a negative number cannot be encoded: " + value);
        }
        long rest = value;
        while (rest >= 0x80) {
            u8((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        return u8((int) rest);
    }

    /** Appends the bytes as they are. */
    public ByteWriter raw(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
        return this;
    }

    /** Appends the 32 bytes of a digest. */
    public ByteWriter digest(Digest value) {
        return raw(value.bytes());
    }

    /** Appends the number of bytes, then the bytes. */
    public ByteWriter sized(byte[] value) {
        return number(value.length).raw(value);
    }

    /** Appends text as sized UTF-8. */
    public ByteWriter text(String value) {
        return sized(value.getBytes(StandardCharsets.UTF_8));
    }

    /** Number of bytes so far. */
    public int size() {
        return size;
    }

    /** The bytes so far; a new array. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** The CRC-32C of the bytes so far. */
    int checksum() {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, size);
        return (int) crc.getValue();
    }

    private void room(int more) {
        int needed = Math.addExact(size, more);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(needed, bytes.length * 2L)));
        }
    }
}

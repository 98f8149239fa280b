package io.faasimage.format.binary;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reader of the bytes of a {@link ByteWriter}, which are untrusted: it reads nothing beyond the end, and accepts no
 * length before that many bytes exist. Not thread-safe.
 */
public final class ByteReader {
    private final String format;
    private final byte[] bytes;
    private final int end;
    private int position;

    /** Reads {@code bytes} from {@code start} to before {@code end}; {@code format} names the input in errors. */
    public ByteReader(String format, byte[] bytes, int start, int end) {
        if (start < 0 || end < start || end > bytes.length) {
            throw new IllegalArgumentException("range " + start + " to " + end + " of " + bytes.length + " bytes");
        }
        this.format = format;
        this.bytes = bytes;
        this.position = start;
        this.end = end;
    }

    /** Number of bytes not read yet. */
    public int remaining() {
        return end - position;
    }

    /** One byte, 0 to 255. */
    public int u8() throws FormatException {
        need(1);
        return bytes[position++] & 0xff;
    }

    /** Two bytes, 0 to 65535. */
    public int u16() throws FormatException {
        return u8() | u8() << 8;
    }

    /** Four bytes; the sign is the highest bit. */
    public int u32() throws FormatException {
        return u16() | u16() << 16;
    }

    /** Eight bytes; the sign is the highest bit. */
    public long u64() throws FormatException {
        return (u32() & 0xffff_ffffL) | (long) u32() << 32;
    }

    /** A LEB128 number from 0 to {@link Long#MAX_VALUE}, in the shortest form. */
    public long number() throws FormatException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                if (next == 0 && shift > 0) {
                    throw bad("number not in its shortest form");
                }
                return value;
            }
        }
        throw bad("number of more than 63 bits");
    }

    /** A LEB128 number that must be at most {@code max}. */
    public int number(String what, int max) throws FormatException {
        long value = number();
        if (value > max) {
            throw bad(what + " " + value + " is greater than " + max);
        }
        return (int) value;
    }

    /** A number of items, each of which takes at least {@code itemBytes} of the remaining bytes. */
    public int count(String what, int itemBytes) throws FormatException {
        return number("number of " + what, remaining() / itemBytes);
    }

    /** {@code length} bytes; a new array. */
    public byte[] raw(int length) throws FormatException {
        need(length);
        byte[] value = Arrays.copyOfRange(bytes, position, position + length);
        position += length;
        return value;
    }

    /** A digest of 32 bytes. */
    public Digest digest() throws FormatException {
        return Digest.ofBytes(raw(Digest.BYTES));
    }

    /** A length of at most {@code max}, then that many bytes. */
    public byte[] sized(String what, int max) throws FormatException {
        return raw(number("length of " + what, max));
    }

    /** Text as sized UTF-8 of at most {@code max} bytes. */
    public String text(String what, int max) throws FormatException {
        byte[] utf8 = sized(what, max);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw bad(what + " is not UTF-8");
        }
    }

    /** Checks that all was read. */
    public void finish() throws FormatException {
        if (remaining() != 0) {
            throw bad(remaining() + " bytes too many");
        }
    }

    /** A failure at this place. */
    public FormatException bad(String reason) {
        return FormatException.corrupt(format + " is damaged at byte " + position + ": " + reason);
    }

    private void need(int length) throws FormatException {
        if (length < 0 || length > remaining()) {
            throw bad("ends " + ((long) length - remaining()) + " bytes too early");
        }
    }
}

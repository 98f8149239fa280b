package io.faasimage.gate.fuse;

import java.nio.charset.StandardCharsets;
import jnr.ffi.Pointer;
import ru.serce.jnrfuse.ErrorCodes;

/** Names and values in libfuse's memory, byte for byte: one char per byte in strings. */
final class NativeBytes {
    private NativeBytes() {}

    /** The bytes before the first zero. */
    static String text(Pointer memory) {
        byte[] bytes = new byte[memory.indexOf(0, (byte) 0)];
        memory.get(0, bytes, 0, bytes.length);
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Writes {@code text} and a zero. */
    static void putText(Pointer memory, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        memory.put(0, bytes, 0, bytes.length);
        memory.putByte(bytes.length, (byte) 0);
    }

    /**
     * The answer to a request for an attribute or the names of all: its length, after writing it unless only the length
     * is requested.
     */
    static int putValue(Pointer memory, long size, byte[] value) {
        if (size == 0) {
            return value.length;
        }
        if (size < value.length) {
            return -ErrorCodes.ERANGE();
        }
        memory.put(0, value, 0, value.length);
        return value.length;
    }
}

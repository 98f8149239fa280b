package io.faasimage.layer;

import io.faasimage.layer.LayerException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A tar stream on its way to commons-compress: keeps the PAX records of the current entry byte for byte, bounds what
 * commons-compress would read whole (PAX headers, GNU long names and links, maps of sparse files), and empties global
 * PAX headers, which Go's archive/tar, and so containerd, ignores.
 *
 * <p>commons-compress decodes PAX records as UTF-8, which destroys binary extended attributes (file capabilities) and
 * names that are not UTF-8, has no limits for the headers of an entry, and no hook for either. A whole reader of our
 * own would have to read header fields, checksums, long names and four kinds of sparse files, too, which is more code
 * than this. The tap follows the records of 512 bytes: a header, its body, the next header. Values are kept one char
 * per byte.
 *
 * @see <a href="https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html">pax interchange format</a>
 */
public final class PaxTap extends ReadThroughStream {
    private static final int RECORD = 512;

    /** Of a header that describes the next entry; containerd refuses longer ones, too (Go's archive/tar). */
    private static final int MAX_SPECIAL_BYTES = 1 << 20;

    /** Headers in a row that describe the next entry; commons-compress recurses for each. */
    private static final int MAX_SPECIAL_HEADERS = 16;

    private static final int MAX_SPARSE_PIECES = 1 << 17;
    private static final int SPARSE_PIECES_PER_RECORD = 21;
    private static final int TYPE = 156;
    private static final int SIZE = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int SPARSE_EXTENDED = 482;
    private static final int SPARSE_NEXT_EXTENDED = 504;

    private enum State {
        HEADER,
        SPARSE_MAP,
        SPARSE_COUNT,
        PAX_BODY,
        GLOBAL_BODY,
        BODY,
        END
    }

    private final byte[] record = new byte[RECORD];
    private int filled;
    private State state = State.HEADER;
    private long remaining;
    private final ByteArrayOutputStream pax = new ByteArrayOutputStream();
    private int paxLength;
    private Map<String, String> pending = new HashMap<>();
    private Map<String, String> current = Map.of();
    private char type;
    private int specialHeaders;
    private long globalBytes;
    private long sparsePieces;

    /** A tap on {@code in}. */
    public PaxTap(InputStream in) {
        super(in);
    }

    /** The PAX records of the entry whose header was read last; values one char per byte. */
    public Map<String, String> records() {
        return current;
    }

    /** The type flag of the entry whose header was read last. */
    public char type() {
        return type;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n = in.read(buffer, offset, length);
        if (n > 0) {
            listen(buffer, offset, n);
        }
        return n;
    }

    private void listen(byte[] buffer, int offset, int count) throws LayerException {
        int at = offset;
        int end = offset + count;
        while (at < end && state != State.END) {
            int n;
            if (state == State.BODY
                    || state == State.PAX_BODY
                    || state == State.GLOBAL_BODY
                    || state == State.SPARSE_COUNT) {
                n = (int) Math.min(end - at, remaining);
                body(buffer, at, n);
            } else {
                n = Math.min(end - at, RECORD - filled);
                System.arraycopy(buffer, at, record, filled, n);
                filled += n;
                if (filled == RECORD) {
                    filled = 0;
                    fullRecord();
                }
            }
            at += n;
        }
    }

    private void body(byte[] buffer, int offset, int count) throws LayerException {
        if (state == State.PAX_BODY) {
            pax.write(buffer, offset, count);
        } else if (state == State.SPARSE_COUNT) {
            sparseCount(buffer, offset, count);
        } else if (state == State.GLOBAL_BODY) {
            // A header of empty lines has no records. commons-compress would apply them to all entries that follow.
            Arrays.fill(buffer, offset, offset + count, (byte) '\n');
        }
        remaining -= count;
        if (remaining > 0) {
            return;
        }
        if (state == State.PAX_BODY) {
            parse(pax.toByteArray(), paxLength);
            pax.reset();
        }
        state = State.HEADER;
    }

    private void fullRecord() throws LayerException {
        if (state == State.SPARSE_MAP) {
            countSparse(SPARSE_PIECES_PER_RECORD);
            state = record[SPARSE_NEXT_EXTENDED] != 0 ? State.SPARSE_MAP : bodyOrHeader();
            return;
        }
        if (isZero()) {
            state = State.END;
            return;
        }
        char flag = (char) (record[TYPE] & 0xff);
        long size = number();
        switch (flag) {
            case 'x', 'X' -> {
                special(size);
                paxLength = (int) size;
                remaining = padded(size);
                state = remaining > 0 ? State.PAX_BODY : State.HEADER;
            }
            case 'g' -> {
                special(size);
                globalBytes += size;
                bound(globalBytes);
                remaining = padded(size);
                state = remaining > 0 ? State.GLOBAL_BODY : State.HEADER;
            }
            case 'L', 'K' -> {
                special(size);
                remaining = padded(size);
                state = bodyOrHeader();
            }
            default -> entry(flag, size);
        }
    }

    private void special(long size) throws LayerException {
        bound(size);
        if (++specialHeaders > MAX_SPECIAL_HEADERS) {
            throw new LayerException(
                    Kind.LIMIT, "more than " + MAX_SPECIAL_HEADERS + " headers that describe one entry");
        }
    }

    private static void bound(long bytes) throws LayerException {
        if (bytes < 0 || bytes > MAX_SPECIAL_BYTES) {
            throw new LayerException(
                    Kind.LIMIT,
                    "a header with " + bytes + " bytes of names or attributes, the limit is " + MAX_SPECIAL_BYTES);
        }
    }

    private void countSparse(long pieces) throws LayerException {
        sparsePieces += pieces;
        if (sparsePieces > MAX_SPARSE_PIECES) {
            throw new LayerException(
                    Kind.LIMIT, "a sparse file of more than " + MAX_SPARSE_PIECES + " pieces; write it without holes");
        }
    }

    /** The first line of a sparse file's body in version 1.0: how many pieces follow. */
    private void sparseCount(byte[] buffer, int offset, int count) throws LayerException {
        for (int i = offset; i < offset + count; i++) {
            if (buffer[i] < '0' || buffer[i] > '9') {
                state = State.BODY;
                return;
            }
            countSparse(9 * sparsePieces + buffer[i] - '0');
        }
    }

    private void entry(char flag, long headerSize) throws LayerException {
        type = flag;
        specialHeaders = 0;
        sparsePieces = 0;
        current = pending;
        pending = new HashMap<>();
        String override = current.get("size");
        long size = headerSize;
        if (override != null) {
            try {
                size = Long.parseLong(override);
            } catch (NumberFormatException e) {
                throw new LayerException(Kind.INVALID, "PAX size '" + override + "' is not a number", e);
            }
        }
        remaining = padded(size);
        if (flag == 'S' && record[SPARSE_EXTENDED] != 0) {
            state = State.SPARSE_MAP;
        } else if (remaining > 0 && "1".equals(current.get("GNU.sparse.major"))) {
            state = State.SPARSE_COUNT;
        } else {
            state = bodyOrHeader();
        }
    }

    private State bodyOrHeader() {
        return remaining > 0 ? State.BODY : State.HEADER;
    }

    private static long padded(long size) throws LayerException {
        if (size < 0 || size > Long.MAX_VALUE - RECORD) {
            throw new LayerException(Kind.INVALID, "an entry of " + size + " bytes");
        }
        return (size + RECORD - 1) / RECORD * RECORD;
    }

    private boolean isZero() {
        for (byte b : record) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    private long number() throws LayerException {
        if ((record[SIZE] & 0x80) != 0) {
            long value = 0;
            for (int i = SIZE + SIZE_LENGTH - 8; i < SIZE + SIZE_LENGTH; i++) {
                value = value << 8 | (record[i] & 0xff);
            }
            return value;
        }
        String text = new String(record, SIZE, SIZE_LENGTH, StandardCharsets.ISO_8859_1)
                .replace('\0', ' ')
                .strip();
        try {
            return text.isEmpty() ? 0 : Long.parseLong(text, 8);
        } catch (NumberFormatException e) {
            throw new LayerException(Kind.INVALID, "a header's size '" + text + "' is not an octal number", e);
        }
    }

    private void parse(byte[] body, int length) throws LayerException {
        int at = 0;
        while (at < length && body[at] != 0) {
            int space = at;
            while (space < length && body[space] != ' ') {
                space++;
            }
            int size;
            try {
                size = Integer.parseInt(new String(body, at, space - at, StandardCharsets.ISO_8859_1));
            } catch (NumberFormatException e) {
                throw new LayerException(Kind.INVALID, "a PAX record does not start with its length", e);
            }
            int end = at + size;
            if (size < space - at + 3 || end > length || end < at || body[end - 1] != '\n') {
                throw new LayerException(Kind.INVALID, "a PAX record of wrong length " + size);
            }
            String record = new String(body, space + 1, end - space - 2, StandardCharsets.ISO_8859_1);
            int equals = record.indexOf('=');
            if (equals <= 0) {
                throw new LayerException(Kind.INVALID, "a PAX record without '='");
            }
            pending.put(record.substring(0, equals), record.substring(equals + 1));
            at = end;
        }
    }
}
